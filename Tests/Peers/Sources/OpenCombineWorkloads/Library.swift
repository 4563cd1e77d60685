@_exported import Dispatch
@_exported import OpenCombine
@_exported import OpenCombineDispatch

/// The library that the workloads of this target use.
public let libraryName = "OpenCombine"

extension DispatchQueue {
  /// The scheduler that stands for a queue.
  var scheduler: DispatchQueue.OCombine { ocombine }
}
