import Streams
import TestSupport
import Testing

/// Tests what the operators that look for one deciding value share: the `contains` that take a
/// closure, and the `allSatisfy`. Further shared behaviour is tested in `ReductionStageTests`.
struct ContainsWhereTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test(arguments: DecidingOperator.all)
  func valuesAreTestedUntilOneDecides(_ operation: DecidingOperator) {
    let log = CallLog()
    let history = operation.apply(source) { value in
      log.append("\(value)")
      return value == 2
    }.history()
    for value in 1...3 { expectEqual(source.send(value), .none) }
    log.expect(["1", "2"])
    expectEqual(history.text, "\(operation.name): \(operation.resultOfADecision) |")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test(arguments: DecidingOperator.all)
  func aDecisionFromWithinTheClosureIsPublishedOnce(_ operation: DecidingOperator) {
    let history = operation.apply(source) { value in
      if value == 1 { source.send(2) }
      return true
    }.history()
    expectEqual(source.send(1), .none)
    expectEqual(history.text, "\(operation.name): \(operation.resultOfADecision) |")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test(arguments: DecidingOperator.all)
  func aDecisionByAClosureThatHasCancelledIsDropped(_ operation: DecidingOperator) {
    let history = History<Bool, any Error>()
    operation.apply(source) { _ in
      history.cancel()
      return true
    }.subscribe(history)
    expectEqual(source.send(1), .none)
    expectEqual(history.text, "\(operation.name):")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
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
