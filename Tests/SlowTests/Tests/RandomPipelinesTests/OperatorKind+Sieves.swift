import Streams
import TestSupport

// Operators that decide on each value alone, or with what they remember of earlier ones.

extension OperatorKind {
  /// An operator that passes, drops or replaces each value, or ends the stream.
  ///
  /// - Parameters:
  ///   - verdicts: Makes the function that decides what becomes of the values of one subscription.
  ///     It may remember earlier values.
  static func sieve(
    _ name: String, _ numbers: ClosedRange<Int> = 0...0, cancel: CancelRule = .stops,
    code: @escaping @Sendable (Int) -> String,
    build:
      @escaping @Sendable (AnyPublisher<Int, TestError>, Int) -> AnyPublisher<Int, TestError>,
    verdicts: @escaping @Sendable (Int) -> (Int) -> Verdict
  ) -> OperatorKind {
    OperatorKind(
      name, numbers, demand: .passesOn, cancel: cancel,
      code: { step, _ in code(step.number) },
      build: { upstream, step, _ in build(upstream, step.number) },
      model: { upstream, step, _, start in upstream(start).sieve(verdicts(step.number)) })
  }

  static let sieves: [OperatorKind] = mappings + filters + selections

  // MARK: Mapping

  private static let mappings: [OperatorKind] = [
    sieve(
      "map", 1...3, cancel: .passesOn,
      code: { ".map { $0 &+ \($0) }" },
      build: { upstream, n in upstream.map { $0 &+ n }.eraseToAnyPublisher() },
      verdicts: { n in { .pass($0 &+ n) } }),
    sieve(
      "map(key path)", cancel: .passesOn,
      code: { _ in ".map(\\.nonzeroBitCount)" },
      build: { upstream, _ in upstream.map(\.nonzeroBitCount).eraseToAnyPublisher() },
      verdicts: { _ in { .pass($0.nonzeroBitCount) } }),
    sieve(
      "tryMap", 2...5,
      code: { ".tryMap { try reject($0, multiplesOf: \($0)) }\(castingError)" },
      build: { upstream, n in
        upstream.tryMap { try reject($0, multiplesOf: n) }.castingError()
      },
      verdicts: { n in { $0.isMultiple(of: n) ? .fail("thrown") : .pass($0) } }),
    OperatorKind(
      "mapError", demand: .passesOn, cancel: .passesOn,
      code: { _, _ in ".mapError { TestError(\"mapped \\($0)\") }" },
      build: { upstream, _, _ in
        upstream.mapError { TestError("mapped \($0)") }.eraseToAnyPublisher()
      },
      model: { upstream, _, _, start in
        upstream(start).mapError { TestError("mapped \($0)") }
      }),
    sieve(
      "scan", 0...2, cancel: .passesOn,
      code: { ".scan(\($0)) { $0 &+ $1 }" },
      build: { upstream, n in upstream.scan(n) { $0 &+ $1 }.eraseToAnyPublisher() },
      verdicts: { n in
        var sum = n
        return { value in
          sum &+= value
          return .pass(sum)
        }
      }),
    sieve(
      "tryScan", 2...5,
      code: { ".tryScan(0) { try $0 &+ reject($1, multiplesOf: \($0)) }\(castingError)" },
      build: { upstream, n in
        upstream.tryScan(0) { try $0 &+ reject($1, multiplesOf: n) }.castingError()
      },
      verdicts: { n in
        var sum = 0
        return { value in
          sum &+= value
          return value.isMultiple(of: n) ? .fail("thrown") : .pass(sum)
        }
      }),
    sieve(
      "encode and decode",
      code: { _ in
        ".encode(encoder: TextCoder()).decode(type: Int.self, decoder: TextCoder())\(castingError)"
      },
      build: { upstream, _ in
        upstream.encode(encoder: TextCoder()).decode(type: Int.self, decoder: TextCoder())
          .castingError()
      },
      verdicts: { _ in { $0 == 3 ? .fail("no code for 3") : .pass($0) } }),
    sieve(
      "handleEvents", cancel: .passesOn,
      code: { _ in ".handleEvents(receiveOutput: { _ in })" },
      build: { upstream, _ in
        upstream.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher()
      },
      verdicts: { _ in { .pass($0) } }),
    sieve(
      "replaceNil", 2...4, cancel: .passesOn,
      code: { ".map { $0.isMultiple(of: \($0)) ? nil : $0 }.replaceNil(with: 9)" },
      build: { upstream, n in
        upstream.map { $0.isMultiple(of: n) ? nil : $0 }.replaceNil(with: 9).eraseToAnyPublisher()
      },
      verdicts: { n in { .pass($0.isMultiple(of: n) ? 9 : $0) } }),
    sieve(
      "breakpoint", cancel: .passesOn,
      code: { _ in ".breakpoint(receiveOutput: { _ in false })" },
      build: { upstream, _ in
        upstream.breakpoint(receiveOutput: { _ in false }).eraseToAnyPublisher()
      },
      verdicts: { _ in { .pass($0) } }),
    sieve(
      "print", cancel: .passesOn,
      code: { _ in ".print(to: Silence())" },
      build: { upstream, _ in upstream.print(to: Silence()).eraseToAnyPublisher() },
      verdicts: { _ in { .pass($0) } }),
  ]

  // MARK: Filtering

  private static let filters: [OperatorKind] = [
    sieve(
      "filter", 2...4,
      code: { ".filter { !$0.isMultiple(of: \($0)) }" },
      build: { upstream, n in
        upstream.filter { !$0.isMultiple(of: n) }.eraseToAnyPublisher()
      },
      verdicts: { n in { $0.isMultiple(of: n) ? .drop : .pass($0) } }),
    sieve(
      "tryFilter", 2...5,
      code: { ".tryFilter { try reject($0, multiplesOf: \($0)) > 2 }\(castingError)" },
      build: { upstream, n in
        upstream.tryFilter { try reject($0, multiplesOf: n) > 2 }.castingError()
      },
      verdicts: { n in
        { $0.isMultiple(of: n) ? .fail("thrown") : $0 > 2 ? .pass($0) : .drop }
      }),
    sieve(
      "compactMap", 2...4,
      code: { ".compactMap { $0.isMultiple(of: \($0)) ? nil : $0 &+ 1 }" },
      build: { upstream, n in
        upstream.compactMap { $0.isMultiple(of: n) ? nil : $0 &+ 1 }.eraseToAnyPublisher()
      },
      verdicts: { n in { $0.isMultiple(of: n) ? .drop : .pass($0 &+ 1) } }),
    sieve(
      "tryCompactMap", 2...5,
      code: {
        ".tryCompactMap { try reject($0, multiplesOf: \($0)) > 2 ? $0 : nil }\(castingError)"
      },
      build: { upstream, n in
        upstream.tryCompactMap { try reject($0, multiplesOf: n) > 2 ? $0 : nil }.castingError()
      },
      verdicts: { n in
        { $0.isMultiple(of: n) ? .fail("thrown") : $0 > 2 ? .pass($0) : .drop }
      }),
    sieve(
      "removeDuplicates",
      code: { _ in ".removeDuplicates()" },
      build: { upstream, _ in upstream.removeDuplicates().eraseToAnyPublisher() },
      verdicts: { _ in
        var previous: Int?
        return { value in
          defer { previous = value }
          return value == previous ? .drop : .pass(value)
        }
      }),
    sieve(
      "removeDuplicates(by:)", 2...3,
      code: { ".removeDuplicates { $0 % \($0) == $1 % \($0) }" },
      build: { upstream, n in
        upstream.removeDuplicates { $0 % n == $1 % n }.eraseToAnyPublisher()
      },
      verdicts: { n in
        var previous: Int?
        return { value in
          defer { previous = value }
          return previous.map { $0 % n == value % n } ?? false ? .drop : .pass(value)
        }
      }),
    sieve(
      "tryRemoveDuplicates", 2...5,
      code: { ".tryRemoveDuplicates { try $0 == reject($1, multiplesOf: \($0)) }\(castingError)" },
      build: { upstream, n in
        upstream.tryRemoveDuplicates { try $0 == reject($1, multiplesOf: n) }.castingError()
      },
      verdicts: { n in
        var previous: Int?
        return { value in
          defer { previous = value }
          // The closure isn't called for the first value.
          guard let previous else { return .pass(value) }
          if value.isMultiple(of: n) { return .fail("thrown") }
          return value == previous ? .drop : .pass(value)
        }
      }),
  ]

  // MARK: Selecting

  private static let selections: [OperatorKind] = [
    output("prefix", 0...4, code: { ".prefix(\($0))" }) { upstream, n in
      (0..<n, upstream.prefix(n).eraseToAnyPublisher())
    },
    output("output(at:)", 0...2, code: { ".output(at: \($0))" }) { upstream, n in
      (n..<n + 1, upstream.output(at: n).eraseToAnyPublisher())
    },
    output("output(in:)", 0...3, code: { ".output(in: \($0)..<\(2 * $0))" }) { upstream, n in
      (n..<2 * n, upstream.output(in: n..<2 * n).eraseToAnyPublisher())
    },
    sieve(
      "drop(while:)", 2...4,
      code: { ".drop { $0 < \($0) }" },
      build: { upstream, n in upstream.drop { $0 < n }.eraseToAnyPublisher() },
      verdicts: { n in
        var isDropping = true
        return { value in
          isDropping = isDropping && value < n
          return isDropping ? .drop : .pass(value)
        }
      }),
    sieve(
      "tryDrop(while:)", 2...5,
      code: { ".tryDrop { try reject($0, multiplesOf: \($0)) < 4 }\(castingError)" },
      build: { upstream, n in
        upstream.tryDrop { try reject($0, multiplesOf: n) < 4 }.castingError()
      },
      verdicts: { n in
        var isDropping = true
        return { value in
          if isDropping, value.isMultiple(of: n) { return .fail("thrown") }
          isDropping = isDropping && value < 4
          return isDropping ? .drop : .pass(value)
        }
      }),
    sieve(
      "prefix(while:)", 1...5,
      code: { ".prefix { $0 < \($0) }" },
      build: { upstream, n in upstream.prefix { $0 < n }.eraseToAnyPublisher() },
      verdicts: { n in { $0 < n ? .pass($0) : .finish } }),
    sieve(
      "tryPrefix(while:)", 2...5,
      code: { ".tryPrefix { try reject($0, multiplesOf: \($0)) < 4 }\(castingError)" },
      build: { upstream, n in
        upstream.tryPrefix { try reject($0, multiplesOf: n) < 4 }.castingError()
      },
      verdicts: { n in
        { $0.isMultiple(of: n) ? .fail("thrown") : $0 < 4 ? .pass($0) : .finish }
      }),
  ]

  /// An operator that publishes the values at some indices.
  private static func output(
    _ name: String, _ numbers: ClosedRange<Int>, code: @escaping @Sendable (Int) -> String,
    make:
      @escaping @Sendable (AnyPublisher<Int, TestError>, Int) -> (
        Range<Int>, AnyPublisher<Int, TestError>
      )
  ) -> OperatorKind {
    OperatorKind(
      name, numbers, demand: .passesOn,
      code: { step, _ in code(step.number) },
      build: { upstream, step, _ in make(upstream, step.number).1 },
      model: { upstream, step, _, start in
        let (range, _) = make(Empty().eraseToAnyPublisher(), step.number)
        let run = upstream(start)
        guard !range.isEmpty else {
          return StreamRun(
            run.subscription, [TimedSignal(run.subscription.step(1), .finished)])
        }
        var index = -1
        return run.sieve { value in
          index += 1
          if index < range.lowerBound { return .drop }
          return index == range.upperBound - 1 ? .passAndFinish(value) : .pass(value)
        }
      })
  }

  static let castingError = ".mapError { $0 as! TestError }"
}

// MARK: - Used by the built pipelines and by the printed code

/// Returns the value, or throws if it's a multiple of a number.
func reject(_ value: Int, multiplesOf divisor: Int) throws -> Int {
  if value.isMultiple(of: divisor) { throw TestError("thrown") }
  return value
}

extension Publisher where Output == Int, Failure == any Error {
  /// Casts the errors back to `TestError`.
  func castingError() -> AnyPublisher<Int, TestError> {
    mapError { $0 as! TestError }.eraseToAnyPublisher()
  }
}

/// A coder whose data is a text. It has no code for 3.
struct TextCoder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> String {
    if value as? Int == 3 { throw TestError("no code for 3") }
    return "\(value)"
  }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let value = Int(text) as? T else { throw TestError("not a number") }
    return value
  }
}

/// A text stream that drops everything.
struct Silence: TextOutputStream {
  mutating func write(_ string: String) {}
}
