import Synchronization

/// The face of a stage that takes all values there are and publishes at most one: what downstream
/// requests stays here.
///
/// The result and downstream's first request may come in any order and from two threads: whoever
/// comes second delivers. A cancellation comes in place of the request, and drops the result. A
/// result of nothing waits for a request too, as in Combine.
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

  /// Who has come.
  private let parties = Atomic<UInt8>(0)

  // Written before the result has come, and taken by whoever comes second.
  @exclusivity(unchecked)
  private var kept: Outcome?

  @usableFromInline
  init(_ name: String) { super.init(name) }

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

  /// Notes who has come.
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
