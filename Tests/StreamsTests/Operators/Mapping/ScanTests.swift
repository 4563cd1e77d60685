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
    expectEqual(history.text, "upstream: 01 012 0123 x(no more)")
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
