import Streams
import TestSupport

// Operators that share, collect by count, or treat the first or last values in a special way.

extension OperatorKind {
  static let sharings: [OperatorKind] = [
    OperatorKind(
      "share", isShared: true,
      code: { _, _ in ".share()" },
      build: { upstream, _, _ in upstream.share().eraseToAnyPublisher() },
      model: { upstream, _, _, start in
        StreamRun(start.handOver, upstream(start.step(1)).signals)
      }),
    OperatorKind(
      "multicast", isShared: true,
      code: { _, _ in ".multicast { PassthroughSubject() }.autoconnect()" },
      build: { upstream, _, _ in
        upstream.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
      },
      model: { upstream, _, _, start in
        StreamRun(start.handOver, upstream(start.step(1)).signals)
      }),
    OperatorKind(
      "multicast(subject:)", 0...2, needsImmediateDemand: true, isShared: true,
      code: { step, _ in ".multicast(subject: CurrentValueSubject(\(step.number))).autoconnect()" },
      build: { upstream, step, _ in
        upstream.multicast(subject: CurrentValueSubject(step.number)).autoconnect()
          .eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        let requested = max(start.handOver, start.requested)
        let first = TimedSignal(requested.step(1), .value(step.number))
        return StreamRun(start.handOver, [first] + upstream(start.step(1)).signals)
      }),
    OperatorKind(
      "replaceEmpty", 7...9, needsImmediateDemand: true, requests: (.atOnce, .asDownstream),
      code: { step, _ in ".replaceEmpty(with: \(step.number))" },
      build: { upstream, step, _ in
        upstream.replaceEmpty(with: step.number).eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        let run = upstream(start)
        guard let end = run.signals.first, end.signal == .finished else { return run }
        return StreamRun(
          run.subscription,
          [
            TimedSignal(end.moment.step(0), .value(step.number)),
            TimedSignal(end.moment.step(1), .finished),
          ])
      }),
    OperatorKind(
      "dropFirst", 0...3, needsImmediateDemand: true,
      code: { step, _ in ".dropFirst(\(step.number))" },
      build: { upstream, step, _ in upstream.dropFirst(step.number).eraseToAnyPublisher() },
      model: { upstream, step, _, start in
        var count = 0
        let run = upstream(start.step(1)).sieve { value in
          count += 1
          return count > step.number ? .pass(value) : .drop
        }
        return StreamRun(start.handOver, run.signals)
      }),
    OperatorKind(
      "collect(_:)", 1...3,
      code: { step, _ in ".collect(\(step.number)).map { $0.digest }" },
      build: { upstream, step, _ in
        upstream.collect(step.number).map { $0.digest }.eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        let run = upstream(start)
        var values: [Int] = []
        var result: [TimedSignal] = []
        for event in run.signals {
          switch event.signal {
          case .value(let value):
            values.append(value)
            if values.count == step.number {
              result.append(TimedSignal(event.moment, .value(values.digest)))
              values = []
            }
          case .finished:
            if !values.isEmpty {
              result.append(TimedSignal(event.moment.step(0), .value(values.digest)))
            }
            result.append(TimedSignal(event.moment.step(1), .finished))
          case .failure: result.append(event)
          }
        }
        return StreamRun(run.subscription, result)
      }),
  ]
}
