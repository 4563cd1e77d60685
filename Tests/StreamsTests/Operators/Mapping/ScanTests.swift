import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct ScanTests {
  @Test func publishesEachResultButNotTheFirst() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.scan("0") { "\($0)\($1)" }.history()
    for value in 1...3 { source.send(value) }
    source.fail("no more")
    #expect(
      history.events == [
        .subscription("upstream"), .value("01"), .value("012"), .value("0123"),
        .failure("no more"),
      ])
  }

  @Test func aSecondSubscriptionIsPassedOnAndDownstreamCancelsIt() {
    let source = ScriptedPublisher<Int, Never>()
    let subscription = source.scan(0, +).sink { _ in }
    #expect(source.sendSubscription().calls == [.cancel])
    subscription.cancel()
  }

  @Test func releasesItsResultAndDownstream() {
    weak var token: Token?
    weak var downstream: History<Token, Never>?
    do {
      let source = ScriptedPublisher<Token, Never>()
      let initial = Token()
      token = initial
      let history = source.scan(initial) { result, _ in result }.history()
      downstream = history
      source.send(Token())
      history.cancel()
      history.removeAll()
    }
    #expect(token == nil)
    #expect(downstream == nil)
  }
}
