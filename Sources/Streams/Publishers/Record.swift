/// A publisher that publishes recorded values and then the recorded completion.
///
///     let record = Record<Int, any Error> { recording in
///       recording.receive(1)
///       recording.receive(2)
///       recording.receive(completion: .finished)
///     }  // 1, 2
///
/// Values are delivered during the call that requests them, on the thread that makes it. The
/// completion follows the last value right away, without a request of its own. Without values, it's
/// delivered as soon as a subscriber subscribes. Each subscriber gets the whole recording. Follows
/// Combine's `Record`.
public struct Record<Output, Failure>: Publisher where Failure: Error {
  /// The values and the completion to publish.
  public let recording: Recording

  /// Creates a publisher of a recording that a closure makes.
  ///
  /// - Parameter record: Records the values and the completion. Called once, right away. Without a
  ///   recorded completion, the publisher finishes.
  @inlinable
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Creates a publisher of a recording.
  @inlinable public init(recording: Recording) { self.recording = recording }

  /// Creates a publisher of values and a completion.
  @inlinable
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    let completion = recording.completion
    SequenceSource.attach(
      CompletionStage<Failure, S>(name: "Record", downstream: subscriber) { _ in completion },
      to: recording.output, nameAfterEnd: "Cancelled Events")
  }
}

extension Record: Sendable where Output: Sendable {}

extension Record {
  /// Values and a completion, recorded one by one.
  ///
  /// Once it has a completion, a recording is complete and receives nothing more.
  public struct Recording {
    /// The type of values that it records.
    public typealias Input = Output

    /// The recorded values, in order.
    public private(set) var output: [Output]

    /// The recorded completion; `.finished` if none has been recorded yet.
    public private(set) var completion: Subscribers.Completion<Failure>

    private var isComplete: Bool

    /// Creates an empty recording, which can receive values and a completion.
    public init() { (output, completion, isComplete) = ([], .finished, false) }

    /// Creates a complete recording.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      (self.output, self.completion, isComplete) = (output, completion, true)
    }

    /// Records a value. Traps if the recording is complete.
    public mutating func receive(_ input: Input) {
      precondition(!isComplete, "Record: the recording is complete, so it can't receive a value")
      output.append(input)
    }

    /// Records the completion. Traps if the recording is complete.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      precondition(
        !isComplete, "Record: the recording is complete, so it can't receive a completion")
      self.completion = completion
      isComplete = true
    }
  }
}

extension Record.Recording: Sendable where Output: Sendable {}
