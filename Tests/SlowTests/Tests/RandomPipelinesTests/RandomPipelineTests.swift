import Foundation
import Streams
import TestSupport
import Testing
import VirtualTime

/// Random pipelines, each compared with the reference model.
struct RandomPipelineTests {
  @Test func randomPipelinesDoWhatTheModelSays() throws {
    let plan = try RunPlan(environment: ProcessInfo.processInfo.environment).single
    print("Random pipelines: \(plan)")
    var coverage = LimitedCoverage()
    let failure = plan.findFailure(PipelineGenerator().makeCase) { coverage.add($0) }
    if let failure {
      Issue.record("\(failure)")
      return
    }
    print("Limited demand: \(coverage)\n\(coverage.wholeCounts)")
    if plan.cases.count >= RunPlan().single.cases.count {
      #expect(coverage.findGaps() == [])
    }
  }
}

extension RandomPipelineTests {
  @Test func sharedPipelinesDoWhatTheModelSays() throws {
    let plan = try RunPlan(environment: ProcessInfo.processInfo.environment).shared
    print("Random sharing: \(plan)")
    if let failure = plan.findFailure(SharedGenerator().makeCase) { Issue.record("\(failure)") }
  }
}

/// How the cases with limited demand were compared with the model.
private struct LimitedCoverage: CustomStringConvertible {
  private var cases: [PipelineCase.Comparison: Int] = [:]

  /// The cases whose whole history was compared, by operator.
  private var wholeCases: [String: Int] = [:]

  mutating func add(_ testCase: PipelineCase) {
    if testCase.demand == .unlimited { return }
    cases[testCase.comparison, default: 0] += 1
    if testCase.comparison == .whole {
      for name in Set(testCase.pipeline.allOperators.map(\.kind.name)) {
        wholeCases[name, default: 0] += 1
      }
    }
  }

  /// Such as `2000 exact, 1500 whole, 20 prefix, 400 rules`.
  var description: String {
    PipelineCase.Comparison.allCases.map { "\(cases[$0, default: 0]) \($0)" }
      .joined(separator: ", ")
  }

  /// The operators that change demand, and how many cases compared their whole history.
  var wholeCounts: String {
    OperatorKind.all.filter { Pipeline.mayPull($0) && $0.demand == .other }
      .map { "\($0.name) \(wholeCases[$0.name, default: 0])" }.joined(separator: ", ")
  }

  /// The comparisons that were too rare in 10,000 cases.
  func findGaps() -> [String] {
    let minimums: [PipelineCase.Comparison: Int] = [.exact: 1_500, .whole: 1_500]
    let gaps = minimums.filter { cases[$0.key, default: 0] < $0.value }.map { "\($0.key)" }
    let seldom = OperatorKind.all.filter { kind in
      // Operators that change demand more often than those that only pass it on.
      Pipeline.mayPull(kind)
        && wholeCases[kind.name, default: 0] < (kind.demand == .other ? 60 : 20)
    }
    return gaps + seldom.map { "\($0.name): \(wholeCases[$0.name, default: 0])" }
  }
}
