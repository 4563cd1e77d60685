@_exported import StreamsFoundation

/// The library that the workloads of this target use.
public let libraryName = "Streams"

extension DispatchQueue {
  /// The scheduler that stands for a queue.
  var scheduler: DispatchQueue { self }
}
