import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in
/// `ReductionStageTests`.
struct CollectTests {
  @Test func theOperatorDoesNotKeepTheArray() {
    weak var token: Token?
    let source = ScriptedPublisher<Token, Never>()
    let history = source.collect().history()
    do {
      let value = Token()
      token = value
      source.send(value)
    }
    source.finish()
    #expect(token != nil)
    history.removeAll()
    #expect(token == nil)
  }
}
