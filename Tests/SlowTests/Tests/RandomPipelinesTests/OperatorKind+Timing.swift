import Streams
import TestSupport
import VirtualTime

// Operators on a scheduler.

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
        // The request waits for the subscription, and then for its own turn.
        let attached = upstream(Start(subscribed, requested: .never)).subscription
        let requested = max(attached, start.requested).scheduled(after: 0)
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
        let run = requestingAll(of: upstream, start)
        var result: [TimedSignal] = []
        for (index, event) in run.signals.enumerated() {
          guard !event.signal.isEnd else {
            result.append(TimedSignal(event.moment.scheduled(after: 0), event.signal))
            continue
          }
          let due = event.moment.scheduled(after: step.number)
          // Whatever comes before it's due replaces it: a value, or the end. If it isn't requested
          // by then, it's lost.
          let next = index + 1 < run.signals.count ? run.signals[index + 1].moment : .never
          if due < next, due > start.requested { result.append(TimedSignal(due, event.signal)) }
        }
        return StreamRun(run.subscription, result)
      }),
    throttle(latest: true), throttle(latest: false),
    OperatorKind(
      "measureInterval", demand: .passesOn,
      code: { _, _ in ".measureInterval(using: clock).map { Int($0.nanoseconds / 1_000_000) }" },
      build: { upstream, _, bench in
        upstream.measureInterval(using: bench.clock).map { Int($0.nanoseconds / 1_000_000) }
          .eraseToAnyPublisher()
      },
      model: { upstream, _, _, start in
        var run = upstream(start)
        var previous = run.subscription.time
        for (index, event) in run.signals.enumerated() where !event.signal.isEnd {
          run.signals[index].signal = .value(event.moment.time - previous)
          previous = event.moment.time
        }
        return run
      }),
    collectByTime(
      "collect(byTime)", requests: .oneByOne,
      { interval in (.milliseconds(interval), nil) },
      code: { ".collect(.byTime(clock, .milliseconds(\($0)))).map { $0.digest }" }),
    collectByTime(
      "collect(byTimeOrCount)", requests: .asDownstream,
      { interval in (.milliseconds(interval), 2) },
      code: { ".collect(.byTimeOrCount(clock, .milliseconds(\($0)), 2)).map { $0.digest }" }),
    timeout("timeout", ", scheduler: clock)", error: nil),
    timeout(
      "timeout(customError:)", ", scheduler: clock, customError: { \"late\" })", error: "late"),
  ]

  private static func throttle(latest: Bool) -> OperatorKind {
    OperatorKind(
      "throttle(latest: \(latest))", 0...20, by: 5, requests: (.atOnce, .atOnce),
      code: { step, _ in
        ".throttle(for: .milliseconds(\(step.number)), scheduler: clock, latest: \(latest))"
      },
      build: { upstream, step, bench in
        upstream.throttle(for: .milliseconds(step.number), scheduler: bench.clock, latest: latest)
          .eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        let run = requestingAll(of: upstream, start)
        var result: [TimedSignal] = []
        // The value that waits, and when it's due.
        var waiting: (value: Int, due: Moment)?
        var previous: Int?
        func deliver(before moment: Moment) {
          guard let (value, due) = waiting, due < moment else { return }
          result.append(TimedSignal(due.step(0), .value(value)))
          previous = due.time
          waiting = nil
        }
        for event in run.signals {
          deliver(before: event.moment)
          guard case .value(let value) = event.signal else {
            // The end follows the value that waits.
            let end = waiting?.due.step(1) ?? event.moment.scheduled(after: 0)
            deliver(before: .never)
            result.append(TimedSignal(end, event.signal))
            break
          }
          if let due = waiting?.due {
            if latest { waiting = (value, due) }
          } else if event.moment > start.requested {
            let now = event.moment.time
            let earliest = previous.map { $0 + step.number } ?? now
            waiting = (value, event.moment.scheduled(after: max(0, earliest - now)))
          }
        }
        deliver(before: .never)
        return StreamRun(run.subscription, result)
      })
  }

  private static func collectByTime(
    _ name: String, requests: RequestRule,
    _ parameters: @escaping @Sendable (Int) -> (VirtualTime.Interval, count: Int?),
    code: @escaping @Sendable (Int) -> String
  ) -> OperatorKind {
    OperatorKind(
      name, 5...20, by: 5, needsImmediateDemand: true, requests: (requests, .asDownstream),
      code: { step, _ in code(step.number) },
      build: { upstream, step, bench in
        let (interval, count) = parameters(step.number)
        let strategy: Publishers.TimeGroupingStrategy<VirtualTimeScheduler> =
          count.map { .byTimeOrCount(bench.clock, interval, $0) } ?? .byTime(bench.clock, interval)
        return upstream.collect(strategy).map { $0.digest }.eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        enum Happening {
          case value(Int)
          case full
          case tick
          case end(Signal)
        }
        let run = upstream(start)
        let limit = parameters(step.number).count
        var happenings: [(moment: Moment, what: Happening)] = []
        for event in run.signals {
          if case .value(let value) = event.signal {
            happenings.append((event.moment, .value(value)))
          } else {
            happenings.append((event.moment.scheduled(after: 0), .end(event.signal)))
          }
        }
        // The timer stops when upstream ends.
        let stop = run.signals.end?.moment ?? .never
        var tick = run.subscription.step(0).scheduled(after: step.number)
        while tick < stop, tick.time <= PipelineCase.horizon {
          happenings.append((tick, .tick))
          tick = tick.scheduled(after: step.number)
        }
        var result: [TimedSignal] = []
        var full: [[Int]] = []
        var values: [Int] = []
        func publish(_ arrays: [[Int]], at moment: Moment) {
          for (index, array) in arrays.enumerated() where !array.isEmpty {
            result.append(TimedSignal(moment.step(index), .value(array.digest)))
          }
        }
        // An action that comes first goes first. New ones are added on the way.
        while let next = happenings.indices.min(by: {
          (happenings[$0].moment, $0) < (happenings[$1].moment, $1)
        }) {
          let (moment, what) = happenings.remove(at: next)
          switch what {
          case .value(let value):
            values.append(value)
            if values.count == limit {
              full.append(values)
              values = []
              happenings.append((moment.scheduled(after: 0), .full))
            }
          case .full:
            publish(full, at: moment)
            full = []
          case .tick:
            publish(full + [values], at: moment)
            (full, values) = ([], [])
          case .end(let signal):
            let rest = signal == .finished ? full + [values] : []
            publish(rest, at: moment)
            result.append(TimedSignal(moment.step(rest.count), signal))
            (full, values) = ([], [])
          }
        }
        return StreamRun(run.subscription.step(1), result)
      })
  }

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
        // The time starts with the subscription, and again with the request and each value. The
        // request may come while downstream receives its subscription.
        let subscription = run.subscription.step(0)
        var deadline = run.subscription.step(1).scheduled(after: step.number)
        if start.requested > run.subscription, start.requested < deadline {
          deadline = start.requested.step(0).scheduled(after: step.number)
        }
        var result: [TimedSignal] = []
        for event in run.signals {
          if deadline < event.moment { break }
          result.append(
            TimedSignal(event.moment.step(1).scheduled(after: 0), event.signal))
          deadline =
            event.signal.isEnd ? .never : event.moment.step(0).scheduled(after: step.number)
        }
        // Values that still wait for their turn are dropped.
        result = result.before(deadline)
        if deadline != .never {
          result.append(TimedSignal(deadline, error.map { .failure($0) } ?? .finished))
        }
        return StreamRun(subscription, result)
      })
  }
}
