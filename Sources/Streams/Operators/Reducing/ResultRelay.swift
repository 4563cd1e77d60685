import Synchronization

/// A stage that takes all of upstream's values, however much downstream requests.
@usableFromInline protocol ConsumingStage: RelayStage where Relay == ResultRelay<Downstream> {}

extension ConsumingStage {
  // The request for all values comes last, and downstream's own requests don't reach upstream.
  @inlinable static var _requestsLast: _Hint<Bool> { .yes }

  @inlinable
  func receive(subscription: any Subscription) {
    guard relay.attach(subscription) else { return }
    downstream.receive(subscription: relay)
    relay.forward(.unlimited)
  }
}

/// The subscription of a stage that takes all of upstream's values and publishes at most one.
/// Downstream's requests aren't passed on, unless the operator asks for it.
///
/// - Threads: the result and downstream's first request may come in any order and from two threads.
///   The second one to arrive delivers the result and the completion. A gate isn't needed, because
///   nothing else is ever delivered except a failure. A failure needs no request, and rules out a
///   result.
/// - Release: the thread that delivers releases the result and downstream. A cancellation counts as
///   the request. If the result is there, the cancelling thread drops it. If not, the thread that
///   brings the result drops it.
///
/// An empty result waits for a request too, as in Combine.
@usableFromInline class ResultRelay<Downstream: Subscriber>: DetachingRelay {
  private struct Outcome {
    let result: Downstream.Input?
    let downstream: Downstream
  }

  private enum Party {
    static var request: UInt8 { 1 }
    static var result: UInt8 { 2 }
  }

  /// Which of the two have arrived.
  private final let parties = Atomic<UInt8>(0)

  // Written before the result is marked as arrived, and taken by the second thread to arrive.
  @exclusivity(unchecked) private final var kept: Outcome?

  /// Whether upstream gets downstream's requests too, in addition to the request for all values.
  private final let passesRequestsOn: Bool

  @usableFromInline
  init(_ name: String, showsUpstream: Bool = false, passesRequestsOn: Bool = false) {
    self.passesRequestsOn = passesRequestsOn
    super.init(name, showsUpstream: showsUpstream)
  }

  /// Publishes a result, now or when downstream requests it. Called once, when detached.
  @usableFromInline
  final func keep(_ result: Downstream.Input?, for downstream: Downstream) {
    kept = Outcome(result: result, downstream: downstream)
    if isSecond(Party.result) { deliver() }
  }

  @usableFromInline
  override final func request(_ demand: Subscribers.Demand) {
    check(demand)
    if isSecond(Party.request) {
      deliver()
    } else if passesRequestsOn {
      forward(demand)
    }
  }

  @usableFromInline
  override func cancel() {
    super.cancel()
    if isSecond(Party.request) { kept = nil }
  }

  /// Records that one of the two has arrived.
  ///
  /// - Returns: Whether only the other one had arrived before.
  private final func isSecond(_ party: UInt8) -> Bool {
    let (old, new) = parties.bitwiseOr(party, ordering: .acquiringAndReleasing)
    return old != new && old != 0
  }

  private final func deliver() {
    guard let kept = kept.take(), isDetached else { return }
    if let result = kept.result { _ = kept.downstream.receive(result) }
    if conclude() { kept.downstream.receive(completion: .finished) }
  }
}
