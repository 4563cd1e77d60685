import Streams
import TestSupport

// Operators with several upstreams.

extension OperatorKind {
  static let combinations: [OperatorKind] =
    junctions + [
      flatMap, boundedFlatMap, switchToLatest, prefixUntilOutput, dropUntilOutput,
    ]

  private static let flatMap = OperatorKind(
    "flatMap", hasInner: true, needsImmediateDemand: true,
    requests: (.atOnce, .asDownstream), demand: .flattens,
    code: { step, indent in
      ".flatMap { value in\n" + step.innerCode(indent + 1) + addingValue(indent + 1)
        + closing(indent)
    },
    build: { upstream, step, bench in
      upstream.flatMap { value in step.inner!.build(on: bench).map { $0 &+ value } }
        .eraseToAnyPublisher()
    },
    model: { upstream, step, scripts, start in
      let outer = upstream(start.step(1)).signals
      var streams = [outer.filter(\.signal.isEnd)]
      for (value, moment) in values(of: outer) {
        streams.append(child(for: value, step, scripts, Start(moment.step(0))))
      }
      // If upstream doesn't end, its part stays empty, and the whole never finishes.
      return StreamRun(start.handOver, merged(streams))
    })

  private static let boundedFlatMap = OperatorKind(
    "flatMap(maxPublishers:)", 1...3, hasInner: true, needsImmediateDemand: true,
    requests: (.limited, .asDownstream), demand: .flattens,
    code: { step, indent in
      ".flatMap(maxPublishers: .max(\(step.number))) { value in\n" + step.innerCode(indent + 1)
        + addingValue(indent + 1) + closing(indent)
    },
    build: { upstream, step, bench in
      upstream.flatMap(maxPublishers: .max(step.number)) { value in
        step.inner!.build(on: bench).map { $0 &+ value }
      }.eraseToAnyPublisher()
    },
    model: { upstream, step, scripts, start in
      var pipeline = upstream.pipeline!
      pipeline.operators.append(step)
      var signals: [TimedSignal] = []
      let agenda = Agenda()
      _ = LimitedStream(
        pipeline, of: scripts, at: start.subscribed, initial: LimitedStream.unlimited, on: agenda
      ) {
        signals.append($0)
        return 0
      }
      agenda.run()
      return StreamRun(start.handOver, signals)
    })

  private static let switchToLatest = OperatorKind(
    "switchToLatest", hasInner: true, requests: (.atOnce, .asDownstream),
    code: { step, indent in
      ".map { value in\n" + step.innerCode(indent + 1) + addingValue(indent + 1)
        + closing(indent) + "\n" + margin(indent) + ".switchToLatest()"
    },
    build: { upstream, step, bench in
      upstream.map { value in step.inner!.build(on: bench).map { $0 &+ value } }
        .switchToLatest().eraseToAnyPublisher()
    },
    model: { upstream, step, scripts, start in
      let outer = upstream(Start(start.subscribed.step(1))).signals
      let all = values(of: outer)
      var streams = [outer.filter(\.signal.isEnd)]
      for (index, (value, moment)) in all.enumerated() {
        let next = index + 1 < all.count ? all[index + 1].moment : .never
        var signals = child(for: value, step, scripts, start.continued(at: moment.step(0)))
          .before(next)
        // An inner stream that is replaced counts as finished.
        if signals.end == nil, next != .never { signals.append(TimedSignal(next, .finished)) }
        streams.append(signals)
      }
      return StreamRun(start.handOver, merged(streams))
    })

  private static func values(of signals: [TimedSignal]) -> [(value: Int, moment: Moment)] {
    signals.compactMap {
      guard case .value(let value) = $0.signal else { return nil }
      return (value, $0.moment)
    }
  }

  private static func child(
    for value: Int, _ step: PipelineOperator, _ scripts: [Script], _ start: Start
  ) -> [TimedSignal] {
    step.inner!.model(of: scripts)(start).sieve { .pass($0 &+ value) }.signals
  }

  private static let prefixUntilOutput = OperatorKind(
    "prefix(untilOutputFrom:)", hasInner: true, requests: (.asDownstream, .oneByOne),
    code: { step, indent in
      ".prefix(\n" + step.innerCode(indent + 1, "untilOutputFrom: ") + ")"
    },
    build: { upstream, step, bench in
      upstream.prefix(untilOutputFrom: step.inner!.build(on: bench)).eraseToAnyPublisher()
    },
    model: { upstream, step, scripts, start in
      let trigger = step.inner!.model(of: scripts)(Start(start.subscribed.step(0)))
      let run = upstream(start.step(1))
      guard let cut = trigger.signals.firstValue?.moment else { return run }
      let signals = run.signals.before(cut)
      if signals.end != nil { return run }
      // Downstream needs its subscription before the end.
      let end = TimedSignal(max(cut, run.subscription.step(1)), .finished)
      return StreamRun(run.subscription, signals + [end])
    })

  private static let dropUntilOutput = OperatorKind(
    "drop(untilOutputFrom:)", hasInner: true, requests: (.asDownstream, .oneByOne),
    code: { step, indent in
      ".drop(\n" + step.innerCode(indent + 1, "untilOutputFrom: ") + ")"
    },
    build: { upstream, step, bench in
      upstream.drop(untilOutputFrom: step.inner!.build(on: bench)).eraseToAnyPublisher()
    },
    model: { upstream, step, scripts, start in
      let trigger = step.inner!.model(of: scripts)(Start(start.subscribed.step(1)))
      let run = upstream(start.step(2))
      var isOpen = false
      var result: [TimedSignal] = []
      for (index, event) in inOrder([trigger.signals, run.signals]) {
        if index == 0, !event.signal.isEnd { isOpen = true }
        // If the other publisher ends before its first value, so does the stream.
        guard index == 1 ? isOpen || event.signal.isEnd : event.signal.isEnd && !isOpen
        else { continue }
        result.append(event)
        if event.signal.isEnd { break }
      }
      return StreamRun(start.handOver, result)
    })
}

// MARK: - Code of inner pipelines

extension OperatorKind {
  static func margin(_ indent: Int) -> String { String(repeating: "  ", count: indent) }

  static func closing(_ indent: Int) -> String { "\n" + margin(indent) + "}" }

  private static func addingValue(_ indent: Int) -> String {
    "\n" + margin(indent + 1) + ".map { $0 &+ value }"
  }
}

extension PipelineOperator {
  func innerCode(_ indent: Int, _ label: String = "") -> String {
    OperatorKind.margin(indent) + label + inner!.code(indent: indent)
  }
}
