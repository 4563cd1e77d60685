import Foundation
import Streams
import TestSupport
import Testing
import VirtualTime

/// The printed code of each operator compiles, and does what the model says.
///
/// `PrintedOperators.swift` holds that code, as it was printed. To print it again after a change,
/// run this test with `PIPELINE_RECORD=1`.
struct PrintedOperatorsTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("PrintedOperators.swift")

  private static func step(_ kind: OperatorKind) -> PipelineOperator {
    PipelineOperator(
      kind: kind, number: min(kind.numbers.lowerBound + kind.stride, kind.numbers.upperBound),
      inner: kind.hasInner ? Pipeline(source: .just(1)) : nil,
      others: (0..<kind.others.upperBound).map { Pipeline(source: .just($0)) })
  }

  private static var printed: String {
    let operators = OperatorKind.all.map { kind in
      """
        case "\(kind.name.replacingOccurrences(of: "\"", with: "\\\""))":
          return
            upstream
            \(kind.code(step(kind), 3))
            .eraseToAnyPublisher()

      """
    }.joined()
    return """
      import Streams
      import TestSupport
      import VirtualTime

      // Printed by PrintedOperatorsTests.

      func printedOperator(
        _ name: String, _ upstream: PassthroughSubject<Int, TestError>, _ clock: VirtualTimeScheduler
      ) -> AnyPublisher<Int, TestError>? {
        switch name {
      \(operators)  default:
          return nil
        }
      }

      """
  }

  @Test func theFileIsUpToDate() throws {
    if ProcessInfo.processInfo.environment["PIPELINE_RECORD"] != nil {
      try Self.printed.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    // The formatter may break lines elsewhere.
    let words = { (text: String) in text.split { $0.isWhitespace }.joined() }
    #expect(words(text) == words(Self.printed))
  }

  @Test(arguments: OperatorKind.all.map(\.name))
  func thePrintedCodeDoesWhatTheModelSays(_ name: String) throws {
    let kind = try #require(OperatorKind.all.first { $0.name == name })
    let values = [4, 4, 1, 3, 7, 2]
    let script = Script(
      receiver: .passthroughSubject,
      lines: values.enumerated().map { Script.Line(time: 7 * $0, signal: .value($1)) } + [
        Script.Line(time: 40, signal: .failure("gone"))
      ])
    let testCase = PipelineCase(
      scripts: [script], pipeline: Pipeline(source: .scripted(0), operators: [Self.step(kind)]))
    let clock = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, TestError>()
    for line in script.lines {
      clock.schedule(after: .milliseconds(line.time)) {
        switch line.signal {
        case .value(let value): subject.send(value)
        case .finished: subject.send(completion: .finished)
        case .failure(let error): subject.send(completion: .failure(error))
        }
      }
    }
    let recorder = PipelineRecorder(on: clock)
    try #require(printedOperator(name, subject, clock)).subscribe(recorder)
    clock.advance(to: .milliseconds(PipelineCase.horizon))
    #expect(recorder.lines == ReferenceModel(testCase: testCase).lines)
    #expect(!recorder.lines.isEmpty)
  }
}
