import TestSupport
import Testing

@testable import Streams

struct FIFOTests {
  @Test func valuesAreRemovedInTheOrderInWhichTheyWereAdded() {
    var random = SplitMix64(seed: 7)
    var fifo = FIFO<Int>()
    var model: [Int] = []
    for value in 0..<10_000 {
      if Bool.random(using: &random) {
        fifo.append(value)
        model.append(value)
      } else {
        expectEqual(fifo.popFirst(), (model.isEmpty ? nil : model.removeFirst()))
      }
      expectEqual(fifo.isEmpty, model.isEmpty)
    }
    expectEqual(fifo.removeAll(), model)
    #expect(fifo.isEmpty)
    #expect(fifo.popFirst() == nil)
  }

  @Test func theFirstValuesAreTakenOutAsAQueueOfTheirOwn() {
    var random = SplitMix64(seed: 11)
    var fifo = FIFO<Int>()
    var model: [Int] = []
    for value in 0..<2_000 {
      for copy in 0..<Int.random(in: 0...3, using: &random) {
        fifo.append(value * 10 + copy)
        model.append(value * 10 + copy)
      }
      expectEqual(fifo.count, model.count)
      if Bool.random(using: &random), !model.isEmpty {
        expectEqual(fifo.popFirst(), model.removeFirst())
      }
      let limit = Int.random(in: 0...9, using: &random)
      var first = fifo.removeFirst(limit)
      expectEqual(first.count, min(limit, model.count))
      expectEqual(first.removeAll(), Array(model.prefix(limit)))
      model.removeFirst(min(limit, model.count))
      expectEqual(fifo.count, model.count)
    }
    expectEqual(fifo.removeAll(), model)
  }

  /// Tests the memory, because a history doesn't show the places of removed values.
  @Test func aQueueThatNeverRunsEmptyDoesNotGrow() {
    var fifo = FIFO<Int>()
    for value in 0..<10 { fifo.append(value) }
    for value in 10..<10_000 {
      fifo.append(value)
      expectEqual(fifo.popFirst(), value - 10)
      #expect(fifo.places.count <= 22)
    }
  }

  @Test func aRemovedValueIsReleased() {
    var fifo = FIFO<Token>()
    weak var first: Token?
    do {
      let token = Token()
      first = token
      fifo.append(token)
      for _ in 0..<3 { fifo.append(Token()) }
    }
    #expect(first != nil)
    _ = fifo.popFirst()
    #expect(first == nil)
    #expect(!fifo.isEmpty)
  }
}
