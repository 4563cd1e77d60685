/// A subscriber whose values tasks await.
///
/// **Demand.** Each call of ``nextSignal(isolation:)`` joins a queue and requests one value. So
/// there are never more requested values than waiting calls, and a value goes to the call that has
/// waited longest. A value for which no call waits wasn't requested. It's kept for the next call,
/// which then requests nothing. Calls that come before the subscription are requested together when
/// it arrives.
///
/// **Ends.** The subscription ends once: by a completion, or by a cancellation. Either one resumes
/// all waiting calls. A failure is for one call only: it waits for the next call if there's none,
/// behind the values that are kept. A cancellation drops those. A completion counts even if
/// upstream has sent no subscription.
///
/// **Threads.** All state is behind one lock. A call joins the queue before it suspends, and
/// requests its value only then. It leaves the queue under the lock, and the thread that takes it
/// out resumes it, so it's resumed once. If that happens before it has suspended, it doesn't
/// suspend. Requests, cancellations and resumptions happen after unlocking, and values are released
/// there.
final class AwaitedSubscriber<Input, Failure: Error>: Subscriber, Cancellable, Sendable {
  /// A value, the failure, or `nil` for the end.
  typealias Signal = Result<Input?, Failure>

  /// A waiting call.
  typealias Call = UnsafeContinuation<HandedOver<Signal>, Never>

  enum Phase {
    /// There's no subscription yet.
    case awaiting
    case attached
    case ended
  }

  struct State {
    var phase = Phase.awaiting

    /// Kept while attached. It's apart from the phase, so that a value doesn't copy it.
    var subscription: (any Subscription)?

    /// The calls that wait for a signal.
    var calls = FIFO<Call>()

    /// The values that wait for a call. If there are any, no call is waiting.
    var kept = FIFO<Input>()

    /// A failure that no call has taken yet.
    var failure: Failure?
  }

  let state = Locked(State())
  private let requestRunner: SubscriberObservation.RequestRunner?

  /// - Parameter requestRunner: What runs the requests; `nil` if there's no observer.
  init(requestRunner: SubscriberObservation.RequestRunner? = nil) {
    self.requestRunner = requestRunner
  }

  // MARK: Called by tasks

  /// Takes a value that's kept, or requests one and waits for it, until the task is cancelled.
  func next(isolation: isolated (any Actor)?) async -> Signal {
    await withTaskCancellationHandler {
      await nextSignal(isolation: isolation)
    } onCancel: {
      cancel()
    }
  }

  /// Takes a value that's kept, or requests one and waits for it, even if the task is cancelled.
  func nextSignal(isolation: isolated (any Actor)?) async -> Signal {
    // Often the value arrives during the request. Then the call doesn't suspend.
    await withUnsafeContinuation { begin($0) }.value
  }

  /// Puts a call into the queue and requests a value for it, or gives it a value that's kept, or
  /// the end, right away.
  func begin(_ call: Call) {
    let next = state.withLock { state -> (subscription: (any Subscription)?, signal: Signal?) in
      if let value = state.kept.popFirst() { return (nil, .success(value)) }
      switch state.phase {
      case .awaiting, .attached:
        state.calls.append(call)
        return (state.subscription, nil)
      case .ended: return (nil, state.failure.take().map { .failure($0) } ?? .success(nil))
      }
    }
    if let subscription = next.subscription { request(of: subscription) }
    if let signal = next.signal { call.resume(returning: HandedOver(signal)) }
  }

  private func request(of subscription: any Subscription) {
    guard let requestRunner else { return subscription.request(.max(1)) }
    requestRunner { subscription.request(.max(1)) }
  }

  /// Cancels the subscription, drops the values that are kept, and gives the end to all waiting
  /// calls.
  func cancel() {
    let (ended, kept) = state.withLock { ($0.end(), $0.kept.removeAll()) }
    ended.subscription?.cancel()
    for call in ended.calls { call.resume(returning: HandedOver(.success(nil))) }
    // Released here, outside the lock.
    _ = kept
  }

  // MARK: Subscriber

  static var _requestsLast: _Hint<Bool> { .yes }

  func receive(subscription: any Subscription) {
    // `nil` for a subscription that isn't wanted.
    let waiting = state.withLock { state -> Int? in
      guard state.phase == .awaiting else { return nil }
      state.phase = .attached
      state.subscription = subscription
      return state.calls.count
    }
    guard let waiting else { return subscription.cancel() }
    if waiting > 0 { subscription.request(.max(waiting)) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let call = state.withLock { state -> Call? in
      if let call = state.calls.popFirst() { return call }
      if state.phase != .ended { state.kept.append(input) }
      return nil
    }
    call?.resume(returning: HandedOver(.success(input)))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    var failure: Failure?
    if case .failure(let error) = completion { failure = error }
    let (subscription, calls) = state.withLock { state -> State.End in
      guard state.phase != .ended else { return (nil, []) }
      let ended = state.end()
      // Without a waiting call, the failure is kept for the next one.
      if ended.calls.isEmpty { state.failure = failure }
      return ended
    }
    // The first call gets the failure, and the others get `nil`.
    for call in calls {
      call.resume(returning: HandedOver(failure.take().map { .failure($0) } ?? .success(nil)))
    }
    // Released here, outside the lock.
    _ = subscription
  }
}

extension AwaitedSubscriber.State {
  /// The subscription to cancel or release, and the calls to resume.
  typealias End = (subscription: (any Subscription)?, calls: [AwaitedSubscriber.Call])

  /// Ends the connection, and takes out all waiting calls.
  mutating func end() -> End {
    phase = .ended
    return (subscription.take(), calls.removeAll())
  }
}

/// A signal on its way from the thread that brings it to the task that waits for it.
struct HandedOver<Value>: @unchecked Sendable {
  // One thread gives it away, and only one task gets it.
  let value: Value

  init(_ value: Value) { self.value = value }
}
