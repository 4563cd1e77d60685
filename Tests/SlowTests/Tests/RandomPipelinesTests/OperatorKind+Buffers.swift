import Streams
import TestSupport

// Operators that keep values until they're requested.

extension OperatorKind {
  static let buffers: [OperatorKind] = [
    buffer(.byRequest, .dropsOldest), buffer(.byRequest, .dropsNewest),
    buffer(.byRequest, .fails), buffer(.keepFull, .dropsOldest),
  ]

  private static func buffer(
    _ prefetch: Publishers.PrefetchStrategy, _ whenFull: FullBuffer
  ) -> OperatorKind {
    let isByRequest = prefetch == .byRequest
    return OperatorKind(
      "buffer(.\(prefetch), \(whenFull.rawValue))", 1...3, needsImmediateDemand: true,
      requests: (isByRequest ? .atOnce : .oneByOne, .asDownstream),
      demand: isByRequest ? .buffers(whenFull) : .other,
      code: { step, _ in
        ".buffer(size: \(step.number), prefetch: .\(prefetch), whenFull: \(whenFull.rawValue))"
      },
      build: { upstream, step, _ in
        upstream.buffer(size: step.number, prefetch: prefetch, whenFull: whenFull.strategy)
          .eraseToAnyPublisher()
      },
      model: { upstream, step, _, start in
        let (run, handOver) = buffered(upstream, start)
        var values = run.signals.before(handOver).filter { !$0.signal.isEnd }.map(\.signal)
        var end = run.signals.before(handOver).end?.signal
        if isByRequest, values.count > step.number {
          switch whenFull {
          case .dropsOldest: values = values.suffix(step.number)
          case .dropsNewest: values = Array(values.prefix(step.number))
          case .fails:
            values = Array(values.prefix(step.number))
            end = .failure("full")
          }
        }
        let first = (values + (end.map { [$0] } ?? [])).enumerated().map { place, signal in
          TimedSignal(handOver.step(1).step(place), signal)
        }
        let later = run.signals.filter { $0.moment >= handOver }
        return StreamRun(handOver.step(0), first + (end == nil ? later : []))
      })
  }

  /// The signals of upstream, and when downstream gets its subscription. The buffer requests values
  /// before that, so some may come earlier.
  static func buffered(
    _ upstream: StreamModel, _ start: Start
  ) -> (run: StreamRun, handOver: Moment) {
    let attached = upstream(Start(start.subscribed, requested: .never)).subscription
    let run = upstream(Start(start.subscribed, requested: attached.step(0)))
    return (run, attached.step(1))
  }
}
