import Foundation
import Streams
import TestSupport
import Testing
import VirtualTime

/// Random chains whose operators know the types of their upstreams, each compared with the same
/// chain made of type-erased publishers, and with the model.
///
/// `TypedChains.swift` holds them as they were printed. That file is how the overloads on `Just`,
/// `Optional`, sequences and `Result` get tested in combination, and those that join two operators
/// into one. To print it again after a change, run this test with `PIPELINE_RECORD=1`.
struct TypedChainsTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("TypedChains.swift")

  private static let count = 120

  private static let script = Script(
    receiver: .passthroughSubject,
    lines: [4, 4, 1, 3, 5, 2, 0].enumerated().map {
      Script.Line(time: 5 * $0, signal: .value($1))
    } + [Script.Line(time: 40, signal: .finished)])

  // MARK: Making chains

  /// The operators of chains that can't fail until one of them throws.
  private static let plainKinds = OperatorKind.all.filter { kind in
    let other = [
      "mapError", "replaceError", "catch", "tryCatch", "retry", "timeout(customError:)",
      "encode and decode", "print", "ignoreOutput",
      // On a single value, their closures are called at once, with that value twice.
      "tryRemoveDuplicates", "tryMin(by:)", "tryMax(by:)",
    ]
    // A buffer asks a sequence before it has a subscriber, but the second part of an erased
    // `append` comes after that.
    return !kind.hasInner && !other.contains(kind.name) && !kind.name.hasPrefix("buffer")
      && !OperatorKind.timings.contains { $0.name == kind.name }
  }

  /// Operators that are joined with the one before, if it's one of the same row.
  private static let fusing = [
    ["map", "tryMap", "replaceNil"], ["filter", "tryFilter"],
    ["compactMap", "map", "tryCompactMap"], ["merge(2 to 8)", "merge(many)"],
  ]

  private static func chain(_ index: Int) -> Pipeline {
    var random = SplitMix64(seed: 7 &+ UInt64(index) &* 0x9E37_79B9)
    _ = random.next()
    func named(_ name: String) -> OperatorKind { OperatorKind.all.first { $0.name == name }! }
    func value() -> Int { .random(in: 0...6, using: &random) }
    func step(_ kind: OperatorKind) -> PipelineOperator {
      let range = kind.numbers.lowerBound...kind.numbers.upperBound
      return PipelineOperator(
        kind: kind, number: .random(in: range, using: &random),
        inner: kind.hasInner
          ? Pipeline(
            source: Bool.random(using: &random) ? .just(value()) : .sequence([1, value()]))
          : nil,
        others: (0..<kind.others.lowerBound).map { _ in Pipeline(source: .result(2)) })
    }
    let sources: [PipelineSource] = [
      .just(value()), .just(value()), .optional(value()), .optional(nil), .result(value()),
      .sequence([value(), value(), value(), value()]), .sequence([value(), value()]),
      .sequence([]), .record([value(), value()], fails: Bool.random(using: &random)),
      .scripted(0), .scripted(0),
    ]
    while true {
      var result = Pipeline(source: sources.randomElement(using: &random)!)
      if index.isMultiple(of: 4) {
        // A source that isn't special, so that the operators are joined.
        result.source = .scripted(0)
        let row = fusing.randomElement(using: &random)!
        for _ in 0..<3 { result.operators.append(step(named(row.randomElement(using: &random)!))) }
      } else if index.isMultiple(of: 5) {
        let inner = [
          "flatMap", "flatMap(maxPublishers:)", "merge(2 to 8)", "append", "switchToLatest",
        ]
        result.operators = [
          step(plainKinds.filter { !$0.name.hasPrefix("try") }.randomElement(using: &random)!),
          step(named(inner.randomElement(using: &random)!)),
        ]
      } else {
        for _ in 0..<Int.random(in: 2...3, using: &random) {
          result.operators.append(step(plainKinds.randomElement(using: &random)!))
        }
      }
      if PipelineCase(scripts: [script], pipeline: result).isValid, !countsNothing(result) {
        return result
      }
    }
  }

  /// Whether an operator gets the result of no values from an optional. On an `Optional` without a
  /// value, these publish nothing, as in Combine.
  private static func countsNothing(_ chain: Pipeline) -> Bool {
    let names = ["count", "reduce", "contains", "contains(where:)", "allSatisfy"]
    return chain.operators.indices.contains { index in
      let upstream = Pipeline(source: chain.source, operators: Array(chain.operators[..<index]))
      return names.contains(chain.operators[index].kind.name)
        && ReferenceModel(testCase: PipelineCase(scripts: [script], pipeline: upstream)).lines.count
          < 2
    }
  }

  // MARK: Printing

  private static func code(_ chain: Pipeline) -> String {
    let cast = OperatorKind.castingError
    let typed = ".setFailureType(to: TestError.self)"
    let throwsErrors = chain.operators.contains { $0.kind.code($0, 3).hasSuffix(cast) }
    let needsTypedSource = chain.operators.contains { $0.kind.hasInner }
    var source = chain.source.code
    var end = throwsErrors ? cast : ""
    if source.hasSuffix(typed), !needsTypedSource {
      source.removeLast(typed.count)
      if !throwsErrors { end = typed }
    }
    return chain.operators.reduce("    return\n      " + source) { code, step in
      var operation = step.kind.code(step, 4)
      if operation.hasSuffix(cast) { operation.removeLast(cast.count) }
      return code + "\n        " + operation
    } + end + "\n        .eraseToAnyPublisher()"
  }

  private static var printed: String {
    let cases = (0..<count).map { "  case \($0):\n\(code(chain($0)))\n" }.joined()
    return """
      import Streams
      import TestSupport
      import VirtualTime

      // Printed by TypedChainsTests.

      func typedChain(
        _ index: Int, _ subject0: PassthroughSubject<Int, TestError>
      ) -> AnyPublisher<Int, TestError>? {
        switch index {
      \(cases)  default:
          return nil
        }
      }

      """
  }

  // MARK: Tests

  @Test func theFileIsUpToDate() throws {
    if ProcessInfo.processInfo.environment["PIPELINE_RECORD"] != nil {
      try Self.printed.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let words = { (text: String) in text.split { $0.isWhitespace }.joined() }
    #expect(words(text) == words(Self.printed))
  }

  @Test(arguments: [DemandPlan.unlimited, DemandPlan(initial: 1, perValue: 1)])
  func eachDoesWhatItsErasedVersionAndTheModelDo(_ demand: DemandPlan) throws {
    for index in 0..<Self.count {
      var testCase = PipelineCase(scripts: [Self.script], pipeline: Self.chain(index))
      let model = ReferenceModel(testCase: testCase).lines
      testCase.demand = demand
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      for line in Self.script.lines {
        clock.schedule(after: .milliseconds(line.time)) { subject.send(line.signal) }
      }
      let recorder = PipelineRecorder(
        on: clock, demand: demand.initial.map { .max($0) } ?? .unlimited,
        perValue: .max(demand.perValue))
      let log = CallLog()
      try #require(typedChain(index, subject))
        .checkingContract(
          allowing: testCase.pipeline.mayExceedDemand ? [.valueWithoutDemand] : [],
          into: log.append
        )
        .subscribe(recorder)
      clock.advance(to: .milliseconds(PipelineCase.horizon))
      let code = Self.code(testCase.pipeline)
      #expect(recorder.lines == model, "\(index):\n\(code)")
      #expect(log.lines == [], "\(index):\n\(code)")
      #expect(testCase.run().lines == model, "Erased \(index):\n\(code)")
    }
  }

  @Test func theyHaveValuesAndAllKindsOfSources() {
    let chains = (0..<Self.count).map(Self.chain)
    let withValues = chains.count {
      ReferenceModel(testCase: PipelineCase(scripts: [Self.script], pipeline: $0)).lines.count > 1
    }
    #expect(withValues > Self.count / 2)
    #expect(Set(chains.flatMap(\.operators).map(\.kind.name)).count > 40)
  }
}
