/// A subscriber whose values tasks await.
///
/// **Demand.** Each call of ``nextSignal(isolation:)`` joins a queue and requests one value. So
/// there are never more requested values than waiting calls, and a value goes to the call that has
/// waited longest. A value for which no call waits wasn't requested, and is dropped. Calls that
/// come before the subscription are requested together when it arrives.
///
/// **Ends.** The subscription ends once: by a completion, or by a cancellation. Either one resumes
/// all waiting calls. A failure is for one call only: it waits for the next call if there's none.
///
/// **Threads.** All state is behind one lock, the calls in the queue included. A call leaves the
/// queue under the lock, and the thread that takes it out resumes it, so it's resumed once. A
/// signal that arrives before its call has suspended is found by that call under the same lock.
/// Requests, cancellations and resumptions happen after unlocking, and values are released there.
@usableFromInline
final class AwaitedSubscriber<Input, Failure: Error>: Subscriber, Sendable {
  /// A value, the failure, or `nil` for the end.
  @usableFromInline
  typealias Signal = Result<Input?, Failure>

  /// A waiting call. Its properties are guarded by the subscriber's lock.
  @usableFromInline
  final class Call {
    @usableFromInline
    var signal: Signal?

    @usableFromInline
    var continuation: UnsafeContinuation<Void, Never>?

    @inlinable
    init() {}
  }

  @usableFromInline
  enum Connection {
    case awaiting
    case attached(any Subscription)
    case ended
  }

  @usableFromInline
  struct State {
    @usableFromInline
    var connection = Connection.awaiting

    /// The calls that wait for a signal.
    @usableFromInline
    var calls = FIFO<Call>()

    /// A failure that no call has taken yet.
    @usableFromInline
    var failure: Failure?

    @inlinable
    init() {}
  }

  @usableFromInline
  let state = Locked(State())

  @inlinable
  init() {}

  // MARK: Called by tasks

  /// Requests a value and waits for it, until the task is cancelled.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> Signal {
    await withTaskCancellationHandler {
      await nextSignal(isolation: isolation)
    } onCancel: {
      cancel()
    }
  }

  /// Requests a value and waits for it, even if the task is cancelled.
  @inlinable
  func nextSignal(isolation: isolated (any Actor)?) async -> Signal {
    let call = Call()
    begin(call)
    // Often the value arrives during the request. Then there's nothing to wait for.
    if let signal = signal(for: call) { return signal }
    await withUnsafeContinuation { continuation in
      if !suspend(call, with: continuation) { continuation.resume() }
    }
    guard let signal = signal(for: call) else {
      preconditionFailure("AwaitedSubscriber: a call was resumed without a signal")
    }
    return signal
  }

  /// Puts a call into the queue and requests a value for it, or gives it the end right away.
  @inlinable
  func begin(_ call: Call) {
    let subscription = state.withLock { state -> (any Subscription)? in
      switch state.connection {
      case .awaiting:
        state.calls.append(call)
        return nil
      case .attached(let subscription):
        state.calls.append(call)
        return subscription
      case .ended:
        call.signal = state.failure.take().map { .failure($0) } ?? .success(nil)
        return nil
      }
    }
    subscription?.request(.max(1))
  }

  @inlinable
  func signal(for call: Call) -> Signal? { state.withLock { _ in call.signal } }

  /// - Returns: Whether the call has to wait. If not, its signal has arrived in the meantime.
  @inlinable
  func suspend(_ call: Call, with continuation: UnsafeContinuation<Void, Never>) -> Bool {
    state.withLock { _ in
      guard call.signal == nil else { return false }
      call.continuation = continuation
      return true
    }
  }

  /// Cancels the subscription, and gives the end to all waiting calls.
  @usableFromInline
  func cancel() {
    let (old, continuations) = state.withLock { $0.end(failure: nil) }
    if case .attached(let subscription) = old { subscription.cancel() }
    for continuation in continuations { continuation.resume() }
  }

  // MARK: Subscriber

  @inlinable
  static var _requestsLast: _Hint<Bool> { .yes }

  @usableFromInline
  func receive(subscription: any Subscription) {
    // `nil` for a subscription that isn't wanted.
    let waiting = state.withLock { state -> Int? in
      guard case .awaiting = state.connection else { return nil }
      state.connection = .attached(subscription)
      return state.calls.count
    }
    guard let waiting else { return subscription.cancel() }
    if waiting > 0 { subscription.request(.max(waiting)) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      guard case .attached = state.connection, let call = state.calls.popFirst() else {
        return nil
      }
      call.signal = .success(input)
      return call.continuation
    }
    continuation?.resume()
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    var failure: Failure?
    if case .failure(let error) = completion { failure = error }
    let (old, continuations) = state.withLock { state -> State.End in
      guard case .attached = state.connection else { return (.ended, []) }
      return state.end(failure: failure)
    }
    for continuation in continuations { continuation.resume() }
    // Released here, outside the lock.
    _ = old
  }
}

extension AwaitedSubscriber.State {
  /// The connection before the end, and the calls to resume. A call that hasn't suspended yet isn't
  /// among them: it finds its signal itself.
  @usableFromInline
  typealias End = (AwaitedSubscriber.Connection, [UnsafeContinuation<Void, Never>])

  /// Ends the connection, and gives the end to all waiting calls: the failure to the first one,
  /// `nil` to the others. Without a waiting call, the failure is kept for the next one.
  @usableFromInline
  mutating func end(failure: Failure?) -> End {
    defer { connection = .ended }
    let ended = calls.removeAll()
    for call in ended { call.signal = .success(nil) }
    if let failure {
      if let first = ended.first {
        first.signal = .failure(failure)
      } else {
        self.failure = failure
      }
    }
    return (connection, ended.compactMap(\.continuation))
  }
}
