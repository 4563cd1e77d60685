import Streams
import TestSupport
import VirtualTime

// Operators on a scheduler, and those that share, buffer or collect.

extension OperatorKind {
  static let timings: [OperatorKind] = [
    OperatorKind(
      "delay", 0...20, by: 5, cancel: .stopsUntilEnd,
      code: { step, _ in ".delay(for: .milliseconds(\(step.number)), scheduler: clock)" },
      build: { upstream, step, bench in
        upstream.delay(for: .milliseconds(step.number), scheduler: bench.clock)
          .eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in delayed(upstream(start), by: step.number) }),
    OperatorKind(
      "receive(on:)", cancel: .stopsUntilEnd,
      code: { _, _ in ".receive(on: clock)" },
      build: { upstream, _, bench in upstream.receive(on: bench.clock).eraseToAnyPublisher() },
      model: { upstream, _, _, start in delayed(upstream(start), by: 0) }),
    OperatorKind(
      "subscribe(on:)", requests: (.later, .later),
      code: { _, _ in ".subscribe(on: clock)" },
      build: { upstream, _, bench in upstream.subscribe(on: bench.clock).eraseToAnyPublisher() },
      model: { upstream, _, _, start in
        let subscribed = start.subscribed.scheduled(after: 0)
        let requested = max(subscribed, start.requested).scheduled(after: 0)
        return upstream(Start(subscribed, requested: requested))
      }),
    OperatorKind(
      "debounce", 0...20, by: 5, requests: (.atOnce, .atOnce), cancel: .stopsUntilEnd,
      code: { step, _ in ".debounce(for: .milliseconds(\(step.number)), scheduler: clock)" },
      build: { upstream, step, bench in
        upstream.debounce(for: .milliseconds(step.number), scheduler: bench.clock)
          .eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        let run = upstream(Start(start.subscribed))
        var result: [TimedSignal] = []
        for (index, event) in run.signals.enumerated() {
          guard !event.signal.isEnd else {
            result.append(TimedSignal(event.moment.scheduled(after: 0), event.signal))
            continue
          }
          let due = event.moment.scheduled(after: step.number)
          // Whatever comes before it's due replaces it: a value, or the end.
          let next = index + 1 < run.signals.count ? run.signals[index + 1].moment : .never
          if due < next { result.append(TimedSignal(due, event.signal)) }
        }
        return StreamRun(run.subscription, result)
      }),
    timeout("timeout", ", scheduler: clock)", error: nil),
    timeout(
      "timeout(customError:)", ", scheduler: clock, customError: { \"late\" })", error: "late"),
  ]

  private static func delayed(_ run: StreamRun, by delay: Int) -> StreamRun {
    StreamRun(
      run.subscription,
      run.signals.map { TimedSignal($0.moment.scheduled(after: delay), $0.signal) })
  }

  private static func timeout(
    _ name: String, _ arguments: String, error: TestError?
  ) -> OperatorKind {
    OperatorKind(
      name, 5...30, by: 5,
      code: { step, _ in ".timeout(.milliseconds(\(step.number))" + arguments },
      build: { upstream, step, bench in
        upstream.timeout(
          .milliseconds(step.number), scheduler: bench.clock,
          customError: error.map { error in { error } }
        ).eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        let run = upstream(start.step(1))
        // The time starts with the request, and again with each value.
        var deadline = max(run.subscription, start.requested).step(0)
          .scheduled(after: step.number)
        var result: [TimedSignal] = []
        for event in run.signals {
          if deadline < event.moment { break }
          result.append(
            TimedSignal(event.moment.step(1).scheduled(after: 0), event.signal))
          deadline = event.signal.isEnd ? .never : event.moment.step(0).scheduled(after: step.number)
        }
        // Values that still wait for their turn are dropped.
        result = result.before(deadline)
        if deadline != .never {
          result.append(TimedSignal(deadline, error.map { .failure($0) } ?? .finished))
        }
        return StreamRun(run.subscription, result)
      })
  }

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
        let first = TimedSignal(start.handOver.step(1), .value(step.number))
        return StreamRun(start.handOver, [first] + upstream(start.step(1)).signals)
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

  /// All operators.
  static let all: [OperatorKind] =
    sieves + results + errors + combinations + timings + sharings
}
