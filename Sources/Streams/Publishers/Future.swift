/// A publisher of one result that is worked out once, for all subscribers.
///
/// The work begins when the future is made, whether or not somebody subscribes, and is not done
/// again: a `retry` gets the same failure. The result is kept, and given to every subscriber; a
/// value waits until it is requested, a failure does not. Cancelling a subscription does not stop
/// the work. Wrap it in ``Deferred`` for work that waits, and begins anew for each subscriber.
///
/// Source of the rules: Combine's `Future`.
public final class Future<Output, Failure>: Publisher where Failure: Error {
  /// Takes the result; the first call counts. It keeps the future alive.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private enum State {
    case pending([FutureConduit<Output, Failure>])
    case fulfilled(Result<Output, Failure>)
  }

  private let state = Locked(State.pending([]))

  /// Makes a future and begins its work.
  ///
  /// - Parameter attemptToFulfill: Called now, with the promise to call when the work is done. The
  ///   promise may be called from any thread.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { self.fulfill($0) }
  }

  public func receive<S>(subscriber: S)
  where S: Subscriber, Output == S.Input, Failure == S.Failure {
    let conduit = FutureConduit<Output, Failure>(AnySubscriber(subscriber))
    subscriber.receive(subscription: conduit)
    let result = state.withLock { state -> Result<Output, Failure>? in
      switch state {
      case .fulfilled(let result):
        return result
      case .pending(let conduits):
        state = .pending(conduits.filter { !$0.hasEnded } + [conduit])
        return nil
      }
    }
    if let result { conduit.fulfill(result) }
  }

  private func fulfill(_ result: Result<Output, Failure>) {
    let conduits = state.withLock { state -> [FutureConduit<Output, Failure>] in
      guard case .pending(let conduits) = state else { return [] }
      state = .fulfilled(result)
      return conduits
    }
    for conduit in conduits { conduit.fulfill(result) }
  }
}

/// One subscription to a future: it brings the result and the first request together.
///
/// A value is delivered by whichever comes last, once; the completion follows it unless the
/// subscription is cancelled meanwhile. Nothing is called under the lock.
private final class FutureConduit<Output, Failure: Error>: Subscription, CustomStringConvertible,
  CustomReflectable
{
  enum State {
    case idle
    case requested
    case fulfilled(Output)
    case delivering
    case ended

    enum Action {
      case none
      case deliver(Output)
      case fail(Failure)
    }

    mutating func request() -> Action {
      switch self {
      case .idle:
        self = .requested
        return .none
      case .fulfilled(let output):
        self = .delivering
        return .deliver(output)
      case .requested, .delivering, .ended:
        return .none
      }
    }

    mutating func fulfill(_ result: Result<Output, Failure>) -> Action {
      switch (self, result) {
      case (.idle, .success(let output)):
        self = .fulfilled(output)
        return .none
      case (.requested, .success(let output)):
        self = .delivering
        return .deliver(output)
      case (.idle, .failure(let error)), (.requested, .failure(let error)):
        self = .ended
        return .fail(error)
      case (.fulfilled, _), (.delivering, _), (.ended, _):
        return .none
      }
    }
  }

  private struct Attachment {
    var state = State.idle
    var downstream: AnySubscriber<Output, Failure>?
  }

  private let attachment: Locked<Attachment>

  init(_ downstream: AnySubscriber<Output, Failure>) {
    attachment = Locked(Attachment(downstream: downstream))
  }

  var hasEnded: Bool {
    attachment.withLock { attachment in
      if case .ended = attachment.state { true } else { false }
    }
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "Future: a request for no value breaks the contract")
    perform { $0.request() }
  }

  func fulfill(_ result: Result<Output, Failure>) { perform { $0.fulfill(result) } }

  func cancel() { _ = end() }

  private func perform(_ event: (inout State) -> State.Action) {
    let (action, downstream) = attachment.withLock { attachment in
      (event(&attachment.state), attachment.downstream)
    }
    switch action {
    case .none:
      break
    case .deliver(let output):
      _ = downstream?.receive(output)
      if end() { downstream?.receive(completion: .finished) }
    case .fail(let error):
      _ = end()
      downstream?.receive(completion: .failure(error))
    }
  }

  /// - Returns: Whether it had not ended before.
  private func end() -> Bool {
    // What it holds, also a value that was not wanted, is released here, outside the lock.
    let old = attachment.withLock { attachment in
      defer { attachment = Attachment(state: .ended) }
      return attachment
    }
    if case .ended = old.state { return false }
    return true
  }

  var description: String { "Future" }

  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
