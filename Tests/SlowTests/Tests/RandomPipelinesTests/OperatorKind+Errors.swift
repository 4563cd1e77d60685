import Streams
import TestSupport

// Operators that go on with another publisher after a failure or a finish.

extension OperatorKind {
  /// Replaces a failure by what a model does that starts at that moment.
  private static func replacingFailure(
    of run: StreamRun, _ start: Start, notBefore earliest: Moment = .start,
    by replacement: (TestError, Start) -> [TimedSignal]
  ) -> StreamRun {
    guard let end = run.signals.end, case .failure(let error) = end.signal else { return run }
    let moment = max(end.moment.step(0), earliest)
    let next = replacement(error, start.continued(at: moment))
    return StreamRun(run.subscription, run.signals.dropLast() + next)
  }

  /// After a finish, goes on with what a model does that starts at that moment.
  private static func replacingFinish(
    of run: StreamRun, _ start: Start, by next: StreamModel
  ) -> StreamRun {
    guard let end = run.signals.end, end.signal == .finished else { return run }
    // If it finishes while it's subscribed to, the next one comes after that.
    let moment = max(end.moment.step(0), start.attached)
    return StreamRun(
      run.subscription, run.signals.dropLast() + next(start.continued(at: moment)).signals)
  }

  /// Operators that go on after the end of one publisher.
  static let successions: [OperatorKind] = errors + concatenations

  private static let concatenations: [OperatorKind] = [
    OperatorKind(
      "append", hasInner: true,
      code: { step, indent in ".append(\n" + step.innerCode(indent + 1) + ")" },
      build: { upstream, step, bench in
        upstream.append(step.inner!.build(on: bench)).eraseToAnyPublisher()
      },
      model: { upstream, step, scripts, start in
        replacingFinish(of: upstream(start), start, by: step.inner!.model(of: scripts))
      }),
    OperatorKind(
      "append(values)", 1...3,
      code: { step, _ in ".append(\(step.number), 0)" },
      build: { upstream, step, _ in upstream.append(step.number, 0).eraseToAnyPublisher() },
      model: { upstream, step, _, start in
        let suffix = PipelineSource.sequence([step.number, 0]).model(of: [])
        return replacingFinish(of: upstream(start), start, by: suffix)
      }),
    OperatorKind(
      "prepend", hasInner: true,
      code: { step, indent in ".prepend(\n" + step.innerCode(indent + 1) + ")" },
      build: { upstream, step, bench in
        upstream.prepend(step.inner!.build(on: bench)).eraseToAnyPublisher()
      },
      model: { upstream, step, scripts, start in
        replacingFinish(of: step.inner!.model(of: scripts)(start), start, by: upstream)
      }),
    OperatorKind(
      "prepend(values)", 1...3,
      code: { step, _ in ".prepend(\(step.number), 0)" },
      build: { upstream, step, _ in upstream.prepend(step.number, 0).eraseToAnyPublisher() },
      model: { upstream, step, _, start in
        let prefix = PipelineSource.sequence([step.number, 0]).model(of: [])
        return replacingFinish(of: prefix(start), start, by: upstream)
      }),
  ]

  private static let errors: [OperatorKind] = [
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
          // A run without a failure stays as it is. An attempt that fails while it's subscribed to
          // is followed by the next one after that.
          run = replacingFailure(of: run, start, notBefore: start.attached) { _, next in
            upstream(next).signals
          }
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
