import Synchronization

/// The subscription of a stage that takes all values there are and publishes at most one. What
/// downstream requests is not passed on.
///
/// - Threads: the result and downstream's first request may come in any order and from two threads.
///   The second thread to arrive delivers the result and the finish. There is no gate: nothing else
///   is ever delivered, except a failure, which needs no request and excludes a result.
/// - Release: the thread that delivers releases the result and downstream. A cancellation counts as
///   the request; if the result is there, the cancelling thread drops it, and otherwise the thread
///   that brings the result does.
///
/// A result of nothing waits for a request too, as in Combine.
@usableFromInline
final class ResultRelay<Downstream: Subscriber>: RelaySubscription {
  private struct Outcome {
    let result: Downstream.Input?
    let downstream: Downstream
  }

  private enum Party {
    static var request: UInt8 { 1 }
    static var result: UInt8 { 2 }
  }

  /// Which of the two have come.
  private let parties = Atomic<UInt8>(0)

  // Written before the result has come, and taken by the second thread to arrive.
  @exclusivity(unchecked)
  private var kept: Outcome?

  @usableFromInline
  init(_ name: String, showsUpstream: Bool = false) {
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
    if isSecond(Party.request) { deliver() }
  }

  @usableFromInline
  override func cancel() {
    super.cancel()
    if isSecond(Party.request) { kept = nil }
  }

  /// Notes which of the two has come.
  ///
  /// - Returns: Whether only the other one had come before.
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
