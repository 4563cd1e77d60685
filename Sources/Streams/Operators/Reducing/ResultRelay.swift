import Synchronization

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
@usableFromInline final class ResultRelay<Downstream: Subscriber>: DetachingRelay {
  private struct Outcome {
    let result: Downstream.Input?
    let downstream: Downstream
  }

  private enum Party {
    static var request: UInt8 { 1 }
    static var result: UInt8 { 2 }
  }

  /// Which of the two have arrived.
  private let parties = Atomic<UInt8>(0)

  // Written before the result is marked as arrived, and taken by the second thread to arrive.
  @exclusivity(unchecked) private var kept: Outcome?
  private let passesRequestsOn: Bool

  /// Makes the subscription of a stage that is still waiting for its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - showsUpstream: Whether to use upstream's description while there is an upstream.
  ///   - passesRequestsOn: Whether upstream gets downstream's requests, in addition to the request
  ///     for all values.
  @usableFromInline
  init(_ name: StaticString, showsUpstream: Bool = false, passesRequestsOn: Bool = false) {
    self.passesRequestsOn = passesRequestsOn
    super.init(name, showsUpstream: showsUpstream)
  }

  /// Publishes a result, now or when downstream requests it. Called once, when detached.
  @usableFromInline
  func keep(_ result: Downstream.Input?, for downstream: Downstream) {
    kept = Outcome(result: result, downstream: downstream)
    if isSecond(Party.result) { deliver() }
  }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
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
  private func isSecond(_ party: UInt8) -> Bool {
    let (old, new) = parties.bitwiseOr(party, ordering: .acquiringAndReleasing)
    return old != new && old != 0
  }

  private func deliver() {
    guard let kept = kept.take(), isDetached else { return }
    if let result = kept.result { _ = kept.downstream.receive(result) }
    if conclude() { kept.downstream.receive(completion: .finished) }
  }
}
