import Streams
import TestSupport

// Operators with two or more upstreams, which they treat alike.

extension OperatorKind {
  static let junctions: [OperatorKind] = [
    junction(
      "merge", needsImmediateDemand: true,
      code: { inners, indent in
        ".merge(\n" + margin(indent + 1) + "with: " + list(inners, indent + 1) + ")"
      },
      build: { all in all[0].merge(with: all[1]).eraseToAnyPublisher() }, model: mergeModel),
    junction(
      "merge(many)", others: 1...2, needsImmediateDemand: true,
      code: { inners, indent in
        ".eraseToAnyPublisher()"
          + inners.map { inner in
            "\n" + margin(indent) + ".merge(\n" + margin(indent + 1) + "with: "
              + inner.code(indent: indent + 1) + "\n" + margin(indent + 2)
              + ".eraseToAnyPublisher())"
          }.joined()
      },
      // `MergeMany`, because all have the same type.
      build: { all in
        all.dropFirst(2).reduce(all[0].merge(with: all[1])) { $0.merge(with: $1) }
          .eraseToAnyPublisher()
      },
      model: mergeModel),
    junction(
      "merge(2 to 8)", others: 0...6, needsImmediateDemand: true,
      code: { inners, indent in
        ".merge(\n" + margin(indent + 1) + "with: " + list(inners, indent + 1) + ")"
      },
      build: merge, model: mergeModel),
    junction(
      "combineLatest",
      code: { inners, indent in
        ".combineLatest(\n" + margin(indent + 1) + list(inners, indent + 1) + "\n"
          + margin(indent) + ") { 31 &* $0 &+ $1 }"
      },
      build: { all in
        all[0].combineLatest(all[1]) { 31 &* $0 &+ $1 }.eraseToAnyPublisher()
      },
      model: combineLatestModel),
    junction(
      "combineLatest(3 or 4)", others: 1...2,
      code: { inners, indent in
        ".combineLatest(\n" + margin(indent + 1) + list(inners, indent + 1) + "\n"
          + margin(indent) + ") { [\(inners.indices.map { "$\($0), " }.joined())"
          + "$\(inners.count)].digest }"
      },
      build: { all in
        all.count == 3
          ? all[0].combineLatest(all[1], all[2]) { [$0, $1, $2].digest }.eraseToAnyPublisher()
          : all[0].combineLatest(all[1], all[2], all[3]) { [$0, $1, $2, $3].digest }
            .eraseToAnyPublisher()
      },
      model: combineLatestModel),
    junction(
      "zip", requests: (.later, .later),
      code: { inners, indent in
        ".zip(\n" + margin(indent + 1) + list(inners, indent + 1) + "\n" + margin(indent)
          + ") { 31 &* $0 &+ $1 }"
      },
      build: { all in all[0].zip(all[1]) { 31 &* $0 &+ $1 }.eraseToAnyPublisher() },
      model: zipModel),
    junction(
      "zip(3 or 4)", others: 1...2, requests: (.later, .later),
      code: { inners, indent in
        ".zip(\n" + margin(indent + 1) + list(inners, indent + 1) + "\n" + margin(indent)
          + ") { [\(inners.indices.map { "$\($0), " }.joined())$\(inners.count)].digest }"
      },
      build: { all in
        all.count == 3
          ? all[0].zip(all[1], all[2]) { [$0, $1, $2].digest }.eraseToAnyPublisher()
          : all[0].zip(all[1], all[2], all[3]) { [$0, $1, $2, $3].digest }.eraseToAnyPublisher()
      },
      model: zipModel),
  ]

  /// An operator that subscribes to all of its upstreams in order.
  private static func junction(
    _ name: String, others: ClosedRange<Int> = 0...0, needsImmediateDemand: Bool = false,
    requests: (RequestRule, RequestRule) = (.asDownstream, .asDownstream),
    code: @escaping @Sendable (_ inners: [Pipeline], _ indent: Int) -> String,
    build: @escaping @Sendable ([AnyPublisher<Int, TestError>]) -> AnyPublisher<Int, TestError>,
    model: @escaping @Sendable ([StreamModel], Start) -> StreamRun
  ) -> OperatorKind {
    OperatorKind(
      name, hasInner: true, others: others, needsImmediateDemand: needsImmediateDemand,
      requests: requests,
      code: { step, indent in code(step.inners, indent) },
      build: { upstream, step, bench in
        build([upstream] + step.inners.map { $0.build(on: bench) })
      },
      model: { upstream, step, scripts, start in
        model([upstream] + step.inners.map { $0.model(of: scripts) }, start)
      })
  }

  private static func list(_ pipelines: [Pipeline], _ indent: Int) -> String {
    pipelines.map { $0.code(indent: indent) }.joined(separator: ",\n" + margin(indent))
  }

  @Sendable
  private static func merge(
    _ all: [AnyPublisher<Int, TestError>]
  ) -> AnyPublisher<Int, TestError> {
    let a = all[0]
    let b = all[1]
    switch all.count {
    case 2: return Publishers.Merge(a, b).eraseToAnyPublisher()
    case 3: return a.merge(with: b, all[2]).eraseToAnyPublisher()
    case 4: return a.merge(with: b, all[2], all[3]).eraseToAnyPublisher()
    case 5: return a.merge(with: b, all[2], all[3], all[4]).eraseToAnyPublisher()
    case 6: return a.merge(with: b, all[2], all[3], all[4], all[5]).eraseToAnyPublisher()
    case 7:
      return a.merge(with: b, all[2], all[3], all[4], all[5], all[6]).eraseToAnyPublisher()
    default:
      return a.merge(with: b, all[2], all[3], all[4], all[5], all[6], all[7])
        .eraseToAnyPublisher()
    }
  }

  // MARK: Models

  /// The values of all streams in order. Finishes with the last one, and fails with the first
  /// failure.
  static func merged(_ streams: [[TimedSignal]]) -> [TimedSignal] {
    var result: [TimedSignal] = []
    var finished = 0
    for (_, event) in inOrder(streams) {
      switch event.signal {
      case .value: result.append(event)
      case .finished:
        finished += 1
        if finished == streams.count { return result + [event] }
      case .failure: return result + [event]
      }
    }
    return result
  }

  @Sendable
  private static func mergeModel(_ models: [StreamModel], _ start: Start) -> StreamRun {
    let runs = models.enumerated().map { $1(start.step($0 + 1)) }
    return StreamRun(start.handOver, merged(runs.map(\.signals)))
  }

  /// The number that two upstreams make of their values, or the digest that more of them make.
  private static func combined(_ values: [Int]) -> Int {
    values.count == 2 ? 31 &* values[0] &+ values[1] : values.digest
  }

  @Sendable
  private static func combineLatestModel(_ models: [StreamModel], _ start: Start) -> StreamRun {
    let runs = models.enumerated().map { $1(start.step($0 + 1)) }
    var latest = models.map { _ in Int?.none }
    var delivery: Moment?
    var finished = 0
    var result: [TimedSignal] = []
    for (index, event) in inOrder(runs.map(\.signals)) {
      let isNested = delivery.map { event.moment.isWithin($0.step(0)) } ?? false
      switch event.signal {
      case .value(let value):
        latest[index] = value
        let values = latest.compactMap(\.self)
        // A value that comes within a delivery is only remembered.
        if values.count == models.count, !isNested {
          result.append(TimedSignal(event.moment.step(0), .value(combined(values))))
          delivery = event.moment
        }
        continue
      case .finished:
        finished += 1
        if finished < models.count { continue }
      case .failure: break
      }
      // Unlike in Combine, an end that comes within a delivery comes after it.
      let moment = isNested ? delivery!.step(1) : event.moment
      return StreamRun(start.handOver, result + [TimedSignal(moment, event.signal)])
    }
    return StreamRun(start.handOver, result)
  }

  @Sendable
  private static func zipModel(_ models: [StreamModel], _ start: Start) -> StreamRun {
    let subscribed = models.indices.map { start.subscribed.step($0) }
    // It begins once all have sent their subscriptions. If one has ended by then without a
    // request, nothing is requested at all.
    let unasked = models.indices.map { models[$0](Start(subscribed[$0], requested: .never)) }
    let begin = max(
      unasked.map(\.subscription).max()!, start.subscribed.step(models.count))
    let early = inOrder(unasked.map(\.signals)).map(\.event).filter { $0.moment < begin }
    if let end = early.first(where: { $0.signal != .finished }) ?? early.first {
      return StreamRun(begin.step(0), [TimedSignal(begin.step(1), end.signal)])
    }
    let requested = start.isImmediate ? begin.step(1) : max(begin.step(1), start.requested)
    let runs = models.indices.map {
      models[$0](Start(subscribed[$0], requested: requested.step($0)))
    }
    var waiting = models.map { _ in [Int]() }
    var hasFinished = models.map { _ in false }
    var result: [TimedSignal] = []
    for (index, event) in inOrder(runs.map(\.signals)) {
      switch event.signal {
      case .value(let value):
        waiting[index].append(value)
        if waiting.allSatisfy({ !$0.isEmpty }) {
          let values = waiting.indices.map { waiting[$0].removeFirst() }
          result.append(TimedSignal(event.moment.step(0), .value(combined(values))))
        }
      case .finished: hasFinished[index] = true
      case .failure: return StreamRun(begin.step(0), result + [event])
      }
      if zip(hasFinished, waiting).contains(where: { $0 && $1.isEmpty }) {
        return StreamRun(begin.step(0), result + [TimedSignal(event.moment.step(1), .finished)])
      }
    }
    return StreamRun(begin.step(0), result)
  }
}
