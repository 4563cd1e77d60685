import Streams
import StreamsTesting
import TestSupport
import VirtualTime

/// The record of a run of the real pipeline.
struct RunResult: Equatable {
  var lines: [String]
  var brokenRules: [String]
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
    if let rest = demand.rest {
      clock.schedule(after: .milliseconds(DemandPlan.restTime)) { recorder.requestRest(rest) }
    }
    if case .at(let time) = cancel {
      clock.schedule(after: .milliseconds(time)) { recorder.cancel() }
    }
    let log = CallLog()
    publisher.checkingContract(allowing: exceptions, into: log.append).subscribe(recorder)
    clock.advance(to: .milliseconds(Self.horizon))
    let result = RunResult(lines: recorder.lines, brokenRules: log.lines)
    recorder.letGo()
    // Runs what is still scheduled, because the clock would keep it.
    clock.advance(by: .seconds(10))
    return result
  }

  var withUnlimitedDemand: PipelineCase {
    var result = self
    result.demand = .unlimited
    return result
  }

  /// The rules that may be broken in this case.
  var exceptions: Set<ContractViolation.Rule> {
    var exceptions: Set<ContractViolation.Rule> = []
    if demand != .unlimited, pipeline.mayExceedDemand { exceptions.insert(.valueWithoutDemand) }
    let mayBeLate = pipeline.operators.contains { $0.kind.cancel == .stopsUntilEnd }
    if cancel != nil, mayBeLate { exceptions.insert(.signalAfterCancellation) }
    return exceptions
  }

  /// How a run differs from the model; `nil` if it doesn't.
  func findProblem() -> Problem? {
    let result = run()
    if isExact {
      let expected = ReferenceModel(testCase: self).lines
      if result.lines == expected, result.brokenRules.isEmpty { return nil }
      return Problem(expected: expected, actual: result)
    }
    if !result.brokenRules.isEmpty { return Problem(expected: nil, actual: result) }
    if comparison == .rules { return nil }
    // Whatever was requested, the same signals come: all of them, or those up to some point.
    let all = ReferenceModel(testCase: withUnlimitedDemand).signals.map { "\($0.signal)" }
    let received = result.lines.map { String($0.drop { $0 != " " }.dropFirst()) }
    if comparison == .whole {
      let isPrompt = receivesEarlyValues(result, of: all.count { $0.hasPrefix("value") })
      if received == all, isPrompt { return nil }
      return Problem(expected: nil, actual: result, allSignals: all, isPrompt: isPrompt)
    }
    return all.starts(with: received) ? nil : Problem(expected: nil, actual: result)
  }
}

extension PipelineCase {
  /// Whether each request brought a value at once, until the rest was requested.
  ///
  /// - Parameter count: How many values there are.
  private func receivesEarlyValues(_ result: RunResult, of count: Int) -> Bool {
    if pipeline.mayExceedDemand { return true }
    let requested = (demand.initial ?? count) + demand.requests.reduce(0) { $0 + $1.count }
    let early = result.lines.count {
      $0.contains("value") && !$0.hasPrefix("\(DemandPlan.restTime) ")
    }
    // A value that returns demand brings the next one.
    return early == min(demand.perValue > 0 && requested > 0 ? count : requested, count)
  }
}

/// How a run differs from the model.
struct Problem {
  /// The history of the model; `nil` if only rules and invariants were checked.
  var expected: [String]?
  var actual: RunResult
  /// All signals of the model, if only the times weren't compared.
  var allSignals: [String]?
  /// Whether each request brought a value at once, if there was one.
  var isPrompt = true
}

extension Problem {
  /// No problem, for a case that hasn't run.
  static let none = Problem(expected: nil, actual: RunResult(lines: [], brokenRules: []))
}
