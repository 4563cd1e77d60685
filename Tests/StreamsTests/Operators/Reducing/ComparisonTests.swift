import Streams
import TestSupport
import Testing

/// Tests what `min` and `max`, with and without `try`, share. Demand, completions and cancellations
/// are tested in `ReductionStageTests`.
struct ComparisonTests {
  let log = CallLog()
  let source = ScriptedPublisher<Card, TestError>()

  /// The first of equal values is kept.
  @Test(arguments: ComparingOperator.all)
  func comparesLikeTheStandardLibrary(_ operation: ComparingOperator) {
    let compare: (Card, Card) -> Bool = { first, second in
      log.append("\(first.suit) \(second.suit)")
      return first.rank < second.rank
    }
    let history = operation.apply(source, compare).history()
    for card in Card.all { source.send(card) }
    source.finish()
    let lines = log.lines
    log.removeAll()
    let expected = operation.isMinimum ? Card.all.min(by: compare) : Card.all.max(by: compare)
    expectEqual(lines, log.lines)
    expectEqual(lines.count, Card.all.count - 1)
    expectEqual(expected, (operation.isMinimum ? Card(1, "b") : Card(7, "c")))
    expectEqual(history.text, "\(operation.name): \(expected!) |")
  }

  @Test(arguments: ComparingOperator.all)
  func aSingleValueIsTheResultWithoutAComparison(_ operation: ComparingOperator) {
    let history = operation.apply(source) { _, _ in fatalError("compared") }.history()
    source.send(Card(1, "a"))
    expectEqual(history.text, "\(operation.name):")
    source.finish()
    expectEqual(history.events, [.subscription(operation.name), .value(Card(1, "a")), .finished])
  }

  @Test(arguments: ComparingOperator.all)
  func aClosureThatHasCancelledEndsTheStream(_ operation: ComparingOperator) {
    let history = History<Card, any Error>()
    operation.apply(source) { _, _ in
      history.cancel()
      return true
    }.subscribe(history)
    source.send(Card(1, "a"))
    expectEqual(source.send(Card(2, "b")), .none)
    source.finish()
    expectEqual(history.text, "\(operation.name):")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aValueThatIsNotTheResultIsReleasedAtOnce() {
    let source = ScriptedPublisher<Item, Never>()
    let history = source.max { $0.rank < $1.rank }.history()
    source.send(Item(1, Token { log.append("1 is released") }))
    log.expect([])
    source.send(Item(2, Token { log.append("2 is released") }))
    log.expect(["1 is released"])
    source.send(Item(0, Token { log.append("0 is released") }))
    log.expect(["1 is released", "0 is released"])
    history.cancel()
    source.releaseSubscribers()
    log.expect(["1 is released", "0 is released", "2 is released"])
  }

  @Test(arguments: [[2, .nan, 1], [.nan, 1, 2]] as [[Double]])
  func minAndMaxCompareAsTheStandardLibraryDoes(values: [Double]) {
    let source = ScriptedPublisher<Double, Never>()
    let least = source.min().history()
    let greatest = source.max().history()
    for index in 0...1 {
      for value in values { source.send(value, to: index) }
      source.finish(to: index)
    }
    expectEqual(least.lines, ["subscription Comparison", "value \(values.min()!)", "finished"])
    expectEqual(greatest.lines, ["subscription Comparison", "value \(values.max()!)", "finished"])
  }

  @Test func theClosureOfThePublisherOrdersUpwardsForTheGreatest() {
    let numbers = PassthroughSubject<Int, Never>()
    expectEqual(
      [(1, 2), (2, 1), (1, 1)].map(numbers.max().areInIncreasingOrder), [true, false, false])
    expectEqual(
      [(1, 2), (2, 1), (1, 1)].map(numbers.min().areInIncreasingOrder), [false, true, false])
  }

  private struct Item {
    let rank: Int
    let token: Token

    init(_ rank: Int, _ token: Token) { (self.rank, self.token) = (rank, token) }
  }
}

/// A value that can be equal to another one in rank, and still be told apart.
struct Card: Equatable {
  let rank: Int
  let suit: String

  init(_ rank: Int, _ suit: String) { (self.rank, self.suit) = (rank, suit) }

  static let all = [
    Card(3, "a"), Card(1, "b"), Card(7, "c"), Card(1, "d"), Card(7, "e"), Card(5, "f"),
  ]
}

/// `min(by:)`, `max(by:)`, `tryMin(by:)` or `tryMax(by:)`.
struct ComparingOperator: CustomTestStringConvertible, Sendable {
  typealias Order = (Card, Card) -> Bool

  let name: String
  let isMinimum: Bool
  private let make:
    @Sendable (ScriptedPublisher<Card, TestError>, @escaping Order) -> AnyPublisher<
      Card, any Error
    >

  func apply(
    _ source: ScriptedPublisher<Card, TestError>, _ areInIncreasingOrder: @escaping Order
  ) -> AnyPublisher<Card, any Error> {
    make(source, areInIncreasingOrder)
  }

  var testDescription: String { "\(name), \(isMinimum ? "min" : "max")" }

  static let all = [
    ComparingOperator(name: "Comparison", isMinimum: true) { source, order in
      source.min(by: order).mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    ComparingOperator(name: "Comparison", isMinimum: false) { source, order in
      source.max(by: order).mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    ComparingOperator(name: "TryComparison", isMinimum: true) { source, order in
      source.tryMin(by: order).eraseToAnyPublisher()
    },
    ComparingOperator(name: "TryComparison", isMinimum: false) { source, order in
      source.tryMax(by: order).eraseToAnyPublisher()
    },
  ]
}
