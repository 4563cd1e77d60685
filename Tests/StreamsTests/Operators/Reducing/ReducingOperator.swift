import Streams
import TestSupport
import Testing

/// An operator that turns 1, 2 and 3 into one result, and throws at 13 if it can.
struct ReducingOperator: CustomTestStringConvertible, Sendable {
  let name: String
  let result: String
  var resultOfNothing: String?
  var endsEarly = false
  var throwsOnThirteen = true
  let apply: @Sendable (ScriptedPublisher<Int, TestError>) -> AnyPublisher<String, any Error>

  var testDescription: String { "\(name), \(result)" }

  static let all = [
    ReducingOperator(name: "Collect", result: "[1, 2, 3]", resultOfNothing: "[]") {
      untyped($0.collect())
    },
    ReducingOperator(name: "Count", result: "3", resultOfNothing: "0") { untyped($0.count()) },
    ReducingOperator(name: "Reduce", result: "123", resultOfNothing: "0") { source in
      untyped(source.reduce(0) { $0 * 10 + $1 })
    },
    ReducingOperator(name: "TryReduce", result: "123", resultOfNothing: "0") { source in
      untyped(source.tryReduce(0) { try $0 * 10 + number($1) })
    },
    ReducingOperator(name: "First", result: "1", endsEarly: true) { untyped($0.first()) },
    // This is Combine's own name for it.
    ReducingOperator(name: "TryFirst", result: "2", endsEarly: true, throwsOnThirteen: false) {
      source in
      untyped(source.first { $0 > 1 })
    },
    ReducingOperator(name: "TryFirstWhere", result: "2", endsEarly: true) { source in
      untyped(source.tryFirst { try number($0) > 1 })
    },
    ReducingOperator(name: "Last", result: "3") { untyped($0.last()) },
    ReducingOperator(name: "LastWhere", result: "2") { source in
      untyped(source.last { $0 < 3 })
    },
    ReducingOperator(name: "TryLastWhere", result: "2") { source in
      untyped(source.tryLast { try number($0) < 3 })
    },
    ReducingOperator(name: "Contains", result: "true", resultOfNothing: "false", endsEarly: true) {
      untyped($0.contains(2))
    },
    ReducingOperator(name: "Contains", result: "false", resultOfNothing: "false") {
      untyped($0.contains(4))
    },
    ReducingOperator(
      name: "ContainsWhere", result: "true", resultOfNothing: "false", endsEarly: true
    ) { source in
      untyped(source.contains { $0 > 1 })
    },
    ReducingOperator(name: "ContainsWhere", result: "false", resultOfNothing: "false") { source in
      untyped(source.contains { $0 > 3 })
    },
    ReducingOperator(
      name: "TryContainsWhere", result: "true", resultOfNothing: "false", endsEarly: true
    ) { source in
      untyped(source.tryContains { try number($0) == 3 })
    },
    ReducingOperator(
      name: "TryContainsWhere", result: "false", resultOfNothing: "false"
    ) { source in
      untyped(source.tryContains { try number($0) > 3 })
    },
    ReducingOperator(
      name: "AllSatisfy", result: "false", resultOfNothing: "true", endsEarly: true
    ) { source in
      untyped(source.allSatisfy { $0 < 3 })
    },
    ReducingOperator(name: "AllSatisfy", result: "true", resultOfNothing: "true") { source in
      untyped(source.allSatisfy { $0 < 4 })
    },
    ReducingOperator(
      name: "TryAllSatisfy", result: "false", resultOfNothing: "true", endsEarly: true
    ) { source in
      untyped(source.tryAllSatisfy { try number($0) < 3 })
    },
    ReducingOperator(name: "TryAllSatisfy", result: "true", resultOfNothing: "true") { source in
      untyped(source.tryAllSatisfy { try number($0) < 4 })
    },
    ReducingOperator(name: "Comparison", result: "1") { untyped($0.min()) },
    ReducingOperator(name: "Comparison", result: "3") { untyped($0.max()) },
    ReducingOperator(name: "Comparison", result: "3") { source in
      untyped(source.min { $0 > $1 })
    },
    ReducingOperator(name: "Comparison", result: "1") { source in
      untyped(source.max { $0 > $1 })
    },
    ReducingOperator(name: "TryComparison", result: "1") { source in
      untyped(source.tryMin { try number($0) < number($1) })
    },
    ReducingOperator(name: "TryComparison", result: "3") { source in
      untyped(source.tryMax { try number($0) < number($1) })
    },
  ]

  /// The operators whose result may be known before upstream has finished.
  static let endingEarly = all.filter(\.endsEarly)

  /// The operators that run a throwing closure for each value after the first.
  static let throwing = all.filter { $0.name.hasPrefix("Try") && $0.throwsOnThirteen }

  private static func untyped<P: Publisher>(_ publisher: P) -> AnyPublisher<String, any Error> {
    publisher.map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher()
  }

  private static func number(_ value: Int) throws -> Int {
    if value == 13 { throw TestError("thirteen") }
    return value
  }
}
