import Streams
import TestSupport
import VirtualTime

/// The record of a run of the real pipeline.
struct RunResult: Equatable {
  var lines: [String]
  var brokenRules: [BrokenRule]
}

extension PipelineCase {
  /// Runs the real pipeline on a virtual clock.
  func run() -> RunResult {
    let clock = VirtualTimeScheduler()
    let bench = Workbench(clock: clock, subjects: scripts.map { $0.build(on: clock) })
    let publisher = pipeline.build(on: bench)
    var cancelAfter: Int?
    if case .afterValue(let count) = cancel { cancelAfter = count }
    let recorder = PipelineRecorder(
      on: clock, demand: demand.initial.map { .max($0) } ?? .unlimited,
      perValue: .max(demand.perValue), cancelAfter: cancelAfter)
    for request in demand.requests {
      clock.schedule(after: .milliseconds(request.time)) { recorder.request(.max(request.count)) }
    }
    if case .at(let time) = cancel {
      clock.schedule(after: .milliseconds(time)) { recorder.cancel() }
    }
    let checker = RuleChecker(recorder, allowing: exceptions)
    publisher.subscribe(checker)
    clock.advance(to: .milliseconds(Self.horizon))
    let result = RunResult(lines: recorder.lines, brokenRules: checker.brokenRules)
    recorder.letGo()
    // Runs what is still scheduled, because the clock would keep it.
    clock.advance(by: .seconds(10))
    return result
  }

  /// The signals that look as if they broke a rule, but are allowed in this case.
  var exceptions: RuleExceptions {
    var exceptions: RuleExceptions = []
    if demand != .unlimited, pipeline.mayExceedDemand { exceptions.insert(.valuesWithoutDemand) }
    let mayBeLate = pipeline.operators.contains { $0.kind.cancel == .stopsUntilEnd }
    if cancel != nil, mayBeLate {
      exceptions.formUnion([.endAfterCancel, .valuesAfterCancel])
    }
    return exceptions
  }

  /// How a run differs from the model; `nil` if it doesn't.
  func findProblem() -> Problem? {
    let result = run()
    let model = ReferenceModel(testCase: self)
    if isExact {
      let expected = model.lines
      if result.lines == expected, result.brokenRules.isEmpty { return nil }
      return Problem(expected: expected, actual: result)
    }
    if !result.brokenRules.isEmpty { return Problem(expected: nil, actual: result) }
    guard pipeline.isPulled, cancel == nil else { return nil }
    // Whatever was requested, the same values come, up to some point.
    var unlimited = self
    unlimited.demand = .unlimited
    let all = ReferenceModel(testCase: unlimited).signals.map { "\($0.signal)" }
    let received = result.lines.map { String($0.drop { $0 != " " }.dropFirst()) }
    return all.starts(with: received) ? nil : Problem(expected: nil, actual: result)
  }
}

/// How a run differs from the model.
struct Problem {
  /// The history of the model; `nil` if only rules and invariants were checked.
  var expected: [String]?
  var actual: RunResult
}

extension Problem {
  /// No problem, for a case that hasn't run.
  static let none = Problem(expected: nil, actual: RunResult(lines: [], brokenRules: []))
}
