import Streams
import TestSupport
import Testing

/// Tests what the operators that look for one deciding value share: the `contains` that take a
/// closure, and the `allSatisfy`. Further shared behaviour is tested in `ReductionStageTests`.
struct ContainsWhereTests {
  @Test(arguments: DecidingOperator.all)
  func valuesAreTestedUntilOneDecides(_ operation: DecidingOperator) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let history = operation.apply(source) { value in
      log.append("\(value)")
      return value == 2
    }.history()
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(log.lines == ["1", "2"])
    #expect(
      history.events == [
        .subscription(operation.name), .value(operation.resultOfADecision), .finished,
      ])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test(arguments: DecidingOperator.all)
  func aDecisionFromWithinTheClosureIsPublishedOnce(_ operation: DecidingOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let history = operation.apply(source) { value in
      if value == 1 { source.send(2) }
      return true
    }.history()
    #expect(source.send(1) == .none)
    #expect(
      history.events == [
        .subscription(operation.name), .value(operation.resultOfADecision), .finished,
      ])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test(arguments: DecidingOperator.all)
  func aDecisionByAClosureThatHasCancelledIsDropped(_ operation: DecidingOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Bool, any Error>()
    operation.apply(source) { _ in
      history.cancel()
      return true
    }.subscribe(history)
    #expect(source.send(1) == .none)
    #expect(history.events == [.subscription(operation.name)])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test(arguments: DecidingOperator.all)
  func twoSubscribersDecideOnTheirOwn(_ operation: DecidingOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let publisher = operation.apply(source) { $0 == 2 }
    let first = publisher.history()
    let second = publisher.history()
    source.send(2, to: 0)
    #expect(first.values == [operation.resultOfADecision])
    #expect(second.events == [.subscription(operation.name)])
    source.finish(to: 1)
    #expect(second.values == [!operation.resultOfADecision])
  }
}

/// An operator that needs a decision: a value that settles its result.
struct DecidingOperator: CustomTestStringConvertible, Sendable {
  typealias Decides = (Int) -> Bool

  let name: String
  let resultOfADecision: Bool
  private let make:
    @Sendable (ScriptedPublisher<Int, TestError>, @escaping Decides) -> AnyPublisher<
      Bool, any Error
    >

  func apply(
    _ source: ScriptedPublisher<Int, TestError>, _ decides: @escaping Decides
  ) -> AnyPublisher<Bool, any Error> {
    make(source, decides)
  }

  var testDescription: String { name }

  static let all = [
    DecidingOperator(name: "ContainsWhere", resultOfADecision: true) { source, decides in
      source.contains { decides($0) }.mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    DecidingOperator(name: "TryContainsWhere", resultOfADecision: true) { source, decides in
      source.tryContains { decides($0) }.eraseToAnyPublisher()
    },
    DecidingOperator(name: "AllSatisfy", resultOfADecision: false) { source, decides in
      source.allSatisfy { !decides($0) }.mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    DecidingOperator(name: "TryAllSatisfy", resultOfADecision: false) { source, decides in
      source.tryAllSatisfy { !decides($0) }.eraseToAnyPublisher()
    },
  ]
}
