import Streams
import TestSupport
import Testing

/// Tests behaviour that `drop(while:)` and `tryDrop(while:)` share. Shared behaviour of all
/// operators is tested in `OperatorContract`.
struct DropWhileTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test(arguments: DropWhileOperator.all)
  func runsTheClosureForEachValueUntilItReturnsFalse(_ operation: DropWhileOperator) {
    let log = CallLog()
    let history = operation.apply(source) { value in
      log.append("\(value)")
      return value < 3
    }.history(demand: .max(2), perValue: .max(4))
    expectEqual(
      [1, 2, 5, 1, 2].map { source.send($0) }, [.max(1), .max(1), .max(4), .max(4), .max(4)])
    source.fail("no more")
    log.expect(["1", "2", "5"])
    expectEqual(history.text, "\(operation.name): 5 1 2 x(no more)")
    expectEqual(source.calls, [.request(.max(2))])
  }

  @Test(arguments: DropWhileOperator.all)
  func aSendFromWithinTheClosureNests(_ operation: DropWhileOperator) {
    let source = source
    let history = operation.apply(source) { value in
      if value == 1 { source.send(7) }
      return value < 5
    }.history()
    for value in 1...2 { source.send(value) }
    // 7 has ended the dropping while the closure ran for 1.
    expectEqual(history.values, [7, 2])
  }

  @Test(arguments: DropWhileOperator.all)
  func aCancellationWithinTheClosureIsTheEnd(_ operation: DropWhileOperator) {
    let history = History<Int, any Error>()
    operation.apply(source) { _ in
      history.cancel()
      return true
    }.subscribe(history)
    source.send(1)
    expectEqual(source.send(2), .none)
    source.finish()
    expectEqual(history.text, "\(operation.name):")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func storesItsClosure() {
    #expect(source.drop { $0 < 3 }.predicate(2))
    let throwing = source.tryDrop { _ in throw TestError("no") }
    #expect(throws: TestError("no")) { try throwing.predicate(1) }
  }
}

/// `drop(while:)` or `tryDrop(while:)`.
struct DropWhileOperator: CustomTestStringConvertible, Sendable {
  typealias Source = ScriptedPublisher<Int, TestError>

  let name: String
  private let make: @Sendable (Source, @escaping (Int) -> Bool) -> AnyPublisher<Int, any Error>

  func apply(
    _ source: Source, _ predicate: @escaping (Int) -> Bool
  ) -> AnyPublisher<Int, any Error> { make(source, predicate) }

  var testDescription: String { name }

  static let all = [
    DropWhileOperator(name: "DropWhile") { source, predicate in
      source.drop(while: predicate).mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    DropWhileOperator(name: "TryDropWhile") { source, predicate in
      source.tryDrop(while: predicate).eraseToAnyPublisher()
    },
  ]
}
