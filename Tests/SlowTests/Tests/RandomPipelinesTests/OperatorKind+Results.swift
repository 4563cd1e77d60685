import Streams
import TestSupport

// Operators that take all values and publish one result.

extension OperatorKind {
  /// An operator that turns all values into one result.
  ///
  /// - Parameters:
  ///   - early: The values published after these values, if more values can't change that.
  ///   - atEnd: The values published if upstream finishes after these values. Without a result, the
  ///     stream only finishes.
  ///   - waits: Whether that finish waits for demand.
  private static func result(
    _ name: String, _ numbers: ClosedRange<Int> = 0...0, code: @escaping @Sendable (Int) -> String,
    build:
      @escaping @Sendable (AnyPublisher<Int, TestError>, Int) -> AnyPublisher<Int, TestError>,
    early: @escaping @Sendable ([Int], Int) -> Result<Int?, TestError>? = { _, _ in nil },
    atEnd: @escaping @Sendable ([Int], Int) -> Int? = { _, _ in nil },
    waits: Bool = true
  ) -> OperatorKind {
    OperatorKind(
      name, numbers, requests: (.atOnce, .atOnce), demand: .requestsAll(waits: waits),
      code: { step, _ in code(step.number) },
      build: { upstream, step, _ in build(upstream, step.number) },
      model: { upstream, step, _, start in
        let run = requestingAll(of: upstream, start)
        var values: [Int] = []
        for event in run.signals {
          var outcome: Result<Int?, TestError>?
          switch event.signal {
          case .value(let value):
            values.append(value)
            outcome = early(values, step.number)
          case .finished: outcome = .success(atEnd(values, step.number))
          case .failure(let error): outcome = .failure(error)
          }
          guard let outcome else { continue }
          let signals: [TimedSignal]
          switch outcome {
          case .success(let value?):
            // The result waits until it's requested.
            let moment = max(event.moment, start.requested)
            signals = [
              TimedSignal(moment.step(0), .value(value)), TimedSignal(moment.step(1), .finished),
            ]
          case .success(nil):
            let moment = waits ? max(event.moment, start.requested) : event.moment
            signals = [TimedSignal(moment, .finished)]
          case .failure(let error): signals = [TimedSignal(event.moment, .failure(error))]
          }
          return StreamRun(run.subscription, signals)
        }
        return StreamRun(run.subscription, [])
      })
  }

  static let results: [OperatorKind] = accumulations + searches

  private static let searches: [OperatorKind] = [
    result(
      "contains", 0...4,
      code: { ".contains(\($0)).map { $0 ? 1 : 0 }" },
      build: { upstream, n in upstream.contains(n).map { $0 ? 1 : 0 }.eraseToAnyPublisher() },
      early: { values, n in values.last! == n ? .success(1) : nil },
      atEnd: { _, _ in 0 }),
    result(
      "contains(where:)", 1...4,
      code: { ".contains { $0 > \($0) }.map { $0 ? 1 : 0 }" },
      build: { upstream, n in upstream.contains { $0 > n }.map { $0 ? 1 : 0 }.eraseToAnyPublisher()
      },
      early: { values, n in values.last! > n ? .success(1) : nil },
      atEnd: { _, _ in 0 }),
    result(
      "tryContains(where:)", 2...5,
      code: {
        ".tryContains { try reject($0, multiplesOf: \($0)) > 3 }.map { $0 ? 1 : 0 }\(castingError)"
      },
      build: { upstream, n in
        upstream.tryContains { try reject($0, multiplesOf: n) > 3 }.map { $0 ? 1 : 0 }
          .castingError()
      },
      early: { values, n in
        if values.last!.isMultiple(of: n) { return .failure("thrown") }
        return values.last! > 3 ? .success(1) : nil
      },
      atEnd: { _, _ in 0 }),
    result(
      "allSatisfy", 1...4,
      code: { ".allSatisfy { $0 < \($0) }.map { $0 ? 1 : 0 }" },
      build: { upstream, n in
        upstream.allSatisfy { $0 < n }.map { $0 ? 1 : 0 }.eraseToAnyPublisher()
      },
      early: { values, n in values.last! < n ? nil : .success(0) },
      atEnd: { _, _ in 1 }),
    result(
      "tryAllSatisfy", 2...5,
      code: {
        ".tryAllSatisfy { try reject($0, multiplesOf: \($0)) < 4 }.map { $0 ? 1 : 0 }"
          + castingError
      },
      build: { upstream, n in
        upstream.tryAllSatisfy { try reject($0, multiplesOf: n) < 4 }.map { $0 ? 1 : 0 }
          .castingError()
      },
      early: { values, n in
        if values.last!.isMultiple(of: n) { return .failure("thrown") }
        return values.last! < 4 ? nil : .success(0)
      },
      atEnd: { _, _ in 1 }),
    result(
      "min", code: { _ in ".min()" },
      build: { upstream, _ in upstream.min().eraseToAnyPublisher() },
      atEnd: { values, _ in values.sorted().first }),
    result(
      "max", code: { _ in ".max()" },
      build: { upstream, _ in upstream.max().eraseToAnyPublisher() },
      atEnd: { values, _ in values.sorted().last }),
    // Of values that compare as equal, the first one counts.
    result(
      "min(by:)", 2...3,
      code: { ".min { $0 % \($0) < $1 % \($0) }" },
      build: { upstream, n in upstream.min { $0 % n < $1 % n }.eraseToAnyPublisher() },
      atEnd: { values, n in
        values.first { candidate in values.allSatisfy { candidate % n <= $0 % n } }
      }),
    result(
      "max(by:)", 2...3,
      code: { ".max { $0 % \($0) < $1 % \($0) }" },
      build: { upstream, n in upstream.max { $0 % n < $1 % n }.eraseToAnyPublisher() },
      atEnd: { values, n in
        values.first { candidate in values.allSatisfy { candidate % n >= $0 % n } }
      }),
    // The closure isn't called for the first value alone.
    result(
      "tryMin(by:)", 2...5,
      code: { n in
        ".tryMin { try reject($0, multiplesOf: \(n)) < reject($1, multiplesOf: \(n)) }"
          + castingError
      },
      build: { upstream, n in
        upstream.tryMin { try reject($0, multiplesOf: n) < reject($1, multiplesOf: n) }
          .castingError()
      },
      early: { values, n in
        values.count > 1 && values.contains { $0.isMultiple(of: n) } ? .failure("thrown") : nil
      },
      atEnd: { values, _ in values.sorted().first }),
    result(
      "tryMax(by:)", 2...5,
      code: { n in
        ".tryMax { try reject($0, multiplesOf: \(n)) < reject($1, multiplesOf: \(n)) }"
          + castingError
      },
      build: { upstream, n in
        upstream.tryMax { try reject($0, multiplesOf: n) < reject($1, multiplesOf: n) }
          .castingError()
      },
      early: { values, n in
        values.count > 1 && values.contains { $0.isMultiple(of: n) } ? .failure("thrown") : nil
      },
      atEnd: { values, _ in values.sorted().last }),
  ]

  private static let accumulations: [OperatorKind] = [
    result(
      "reduce", 0...2,
      code: { ".reduce(\($0)) { 31 &* $0 &+ $1 }" },
      build: { upstream, n in upstream.reduce(n) { 31 &* $0 &+ $1 }.eraseToAnyPublisher() },
      atEnd: { values, n in values.reduce(n) { 31 &* $0 &+ $1 } }),
    result(
      "tryReduce", 2...5,
      code: { ".tryReduce(0) { try $0 &+ reject($1, multiplesOf: \($0)) }\(castingError)" },
      build: { upstream, n in
        upstream.tryReduce(0) { try $0 &+ reject($1, multiplesOf: n) }.castingError()
      },
      early: { values, n in
        values.last!.isMultiple(of: n) ? .failure("thrown") : nil
      },
      atEnd: { values, _ in values.reduce(0, &+) }),
    result(
      "collect", code: { _ in ".collect().map { $0.digest }" },
      build: { upstream, _ in upstream.collect().map { $0.digest }.eraseToAnyPublisher() },
      atEnd: { values, _ in values.digest }),
    result(
      "count", code: { _ in ".count()" },
      build: { upstream, _ in upstream.count().eraseToAnyPublisher() },
      atEnd: { values, _ in values.count }),
    result(
      "ignoreOutput", code: { _ in ".ignoreOutput().map { _ -> Int in }" },
      build: { upstream, _ in upstream.ignoreOutput().map { _ -> Int in }.eraseToAnyPublisher() },
      waits: false),
    result(
      "first", code: { _ in ".first()" },
      build: { upstream, _ in upstream.first().eraseToAnyPublisher() },
      early: { values, _ in .success(values[0]) }),
    result(
      "first(where:)", 1...4,
      code: { ".first { $0 > \($0) }" },
      build: { upstream, n in upstream.first { $0 > n }.eraseToAnyPublisher() },
      early: { values, n in values.last! > n ? .success(values.last!) : nil }),
    result(
      "tryFirst(where:)", 2...5,
      code: { ".tryFirst { try reject($0, multiplesOf: \($0)) > 3 }\(castingError)" },
      build: { upstream, n in
        upstream.tryFirst { try reject($0, multiplesOf: n) > 3 }.castingError()
      },
      early: { values, n in
        if values.last!.isMultiple(of: n) { return .failure("thrown") }
        return values.last! > 3 ? .success(values.last!) : nil
      }),
    result(
      "last", code: { _ in ".last()" },
      build: { upstream, _ in upstream.last().eraseToAnyPublisher() },
      atEnd: { values, _ in values.last }),
    result(
      "last(where:)", 1...4,
      code: { ".last { $0 < \($0) }" },
      build: { upstream, n in upstream.last { $0 < n }.eraseToAnyPublisher() },
      atEnd: { values, n in values.last { $0 < n } }),
    result(
      "tryLast(where:)", 2...5,
      code: { ".tryLast { try reject($0, multiplesOf: \($0)) < 4 }\(castingError)" },
      build: { upstream, n in
        upstream.tryLast { try reject($0, multiplesOf: n) < 4 }.castingError()
      },
      early: { values, n in values.last!.isMultiple(of: n) ? .failure("thrown") : nil },
      atEnd: { values, _ in values.last { $0 < 4 } }),
  ]
}
