import Streams
import TestSupport

// Operators that go on after a failure.

extension OperatorKind {
  /// Replaces a failure by what a model does that starts at that moment.
  private static func replacingFailure(
    of run: StreamRun, _ start: Start, by replacement: (TestError, Start) -> [TimedSignal]
  ) -> StreamRun {
    guard let end = run.signals.end, case .failure(let error) = end.signal else { return run }
    let next = replacement(error, start.continued(at: end.moment.step(0)))
    return StreamRun(run.subscription, run.signals.dropLast() + next)
  }

  static let errors: [OperatorKind] = [
    OperatorKind(
      "catch", hasInner: true,
      code: { step, indent in
        ".catch { _ in\n" + step.innerCode(indent + 1) + closing(indent)
      },
      build: { upstream, step, bench in
        upstream.catch { _ in step.inner!.build(on: bench) }.eraseToAnyPublisher()
      },
      model: { upstream, step, scripts, start in
        replacingFailure(of: upstream(start), start) { _, next in
          step.inner!.model(of: scripts)(next).signals
        }
      }),
    OperatorKind(
      "tryCatch", hasInner: true,
      code: { step, indent in
        ".tryCatch {\n" + margin(indent + 1) + "if $0 == \"lost\" { throw TestError(\"thrown\") }\n"
          + margin(indent + 1) + "return " + step.inner!.code(indent: indent + 1)
          + closing(indent) + castingError
      },
      build: { upstream, step, bench in
        upstream.tryCatch {
          if $0 == "lost" { throw TestError("thrown") }
          return step.inner!.build(on: bench)
        }.castingError()
      },
      model: { upstream, step, scripts, start in
        replacingFailure(of: upstream(start), start) { error, next in
          error == "lost"
            ? [TimedSignal(next.subscribed, .failure("thrown"))]
            : step.inner!.model(of: scripts)(next).signals
        }
      }),
    OperatorKind(
      "retry", 0...2,
      code: { step, _ in ".retry(\(step.number))" },
      build: { upstream, step, _ in upstream.retry(step.number).eraseToAnyPublisher() },
      model: { upstream, step, _, start in
        var run = upstream(start)
        for _ in 0..<step.number {
          // A run without a failure stays as it is.
          run = replacingFailure(of: run, start) { _, next in upstream(next).signals }
        }
        return run
      }),
    OperatorKind(
      "replaceError", 1...3,
      code: { step, _ in
        ".replaceError(with: \(step.number)).setFailureType(to: TestError.self)"
      },
      build: { upstream, step, _ in
        upstream.replaceError(with: step.number).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        replacingFailure(of: upstream(start), start) { _, next in
          [
            TimedSignal(next.requested.step(0), .value(step.number)),
            TimedSignal(next.requested.step(1), .finished),
          ]
        }
      }),
  ]
}
