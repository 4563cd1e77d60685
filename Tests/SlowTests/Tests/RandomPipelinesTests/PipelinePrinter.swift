extension PipelineCase {
  func code(_ problem: Problem) -> String {
    PipelinePrinter(testCase: self, problem: problem).code()
  }
}

/// Prints a case as a test to paste.
struct PipelinePrinter {
  let testCase: PipelineCase
  let problem: Problem

  /// The test, with the model's history as the expectation and the real one in a comment.
  func code(name: String = "randomPipeline") -> String {
    let lines =
      ["@Test func \(name)() {"] + body.map { $0.isEmpty ? "" : "  " + $0 } + ["}"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var body: [String] {
    var lines = ["let clock = VirtualTimeScheduler()"]
    for (index, script) in testCase.scripts.enumerated() { lines += script.code(index: index) }
    lines += ["let pipeline = \(testCase.pipeline.code())"]
    lines += ["let recorder = PipelineRecorder(\(recorderArguments))"]
    for request in testCase.demand.requests {
      lines += [
        "clock.schedule(after: .milliseconds(\(request.time))) "
          + "{ recorder.request(.max(\(request.count))) }"
      ]
    }
    if let rest = testCase.demand.rest {
      lines += [
        "clock.schedule(after: .milliseconds(\(DemandPlan.restTime))) "
          + "{ recorder.requestRest(.\(rest)) }"
      ]
    }
    if case .at(let time) = testCase.cancel {
      lines += ["clock.schedule(after: .milliseconds(\(time))) { recorder.cancel() }"]
    }
    lines += [
      "let log = CallLog()",
      "pipeline.checkingContract(\(exceptions)into: log.append).subscribe(recorder)",
      "clock.advance(to: .milliseconds(\(PipelineCase.horizon)))",
      "#expect(log.lines == [])",
    ]
    let actual = problem.actual
    for broken in actual.brokenRules { lines += ["// Broken: \(broken)"] }
    if let expected = problem.expected {
      lines += ["#expect(recorder.lines == \(Self.list(expected)))"]
      if actual.lines != expected { lines += ["// Actual: \(Self.list(actual.lines))"] }
    } else {
      lines += ["// Received: \(Self.list(actual.lines))"]
      if !problem.isPrompt { lines += ["// Some requests brought no value at once."] }
      if let all = problem.allSignals { lines += ["// Expected: \(Self.list(all))"] }
    }
    return lines
  }

  private var recorderArguments: String {
    var arguments = ["on: clock"]
    if let initial = testCase.demand.initial { arguments += ["demand: .max(\(initial))"] }
    if testCase.demand.perValue > 0 {
      arguments += ["perValue: .max(\(testCase.demand.perValue))"]
    }
    if case .afterValue(let count) = testCase.cancel { arguments += ["cancelAfter: \(count)"] }
    return arguments.joined(separator: ", ")
  }

  private var exceptions: String {
    let names = testCase.exceptions.map { ".\($0)" }.sorted()
    return names.isEmpty ? "" : "allowing: [\(names.joined(separator: ", "))], "
  }

  private static func list(_ lines: [String]) -> String {
    "[" + lines.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }
}
