import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in
/// `ReductionStageTests`.
struct CollectTests {
  @Test func publishesAllValuesInOneArray() {
    let history = [3, 1, 2].publisher.eraseToAnyPublisher().collect().history()
    #expect(history.events == [.subscription("Collect"), .value([3, 1, 2]), .finished])
  }

  @Test func theOperatorDoesNotKeepTheArray() {
    weak var token: Token?
    let source = ScriptedPublisher<Token, Never>()
    let history = History<[Token], Never>()
    source.collect().subscribe(history)
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

  @Test func isEqualIfTheUpstreamsAre() {
    #expect(Empty<Int, Never>().collect() == Empty().collect())
    #expect(Empty<Int, Never>().collect() != Empty(completeImmediately: false).collect())
  }
}
