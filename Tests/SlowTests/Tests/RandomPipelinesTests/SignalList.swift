import TestSupport

// Plain functions over lists of signals, of which the models of the operators are made.

/// The fate of a value.
enum Verdict {
  case pass(Int)
  case drop
  /// The stream finishes instead.
  case finish
  /// The stream fails instead.
  case fail(TestError)
  /// The value is passed, and then the stream finishes.
  case passAndFinish(Int)
}

extension StreamRun {
  /// Replaces each value by the verdict on it, up to the first verdict that ends the stream.
  func sieve(_ verdict: (Int) -> Verdict) -> StreamRun {
    var result: [TimedSignal] = []
    for (index, event) in signals.enumerated() {
      guard case .value(let value) = event.signal else {
        result.append(event)
        continue
      }
      switch verdict(value) {
      case .pass(let output): result.append(TimedSignal(event.moment, .value(output)))
      case .drop: break
      case .finish: return StreamRun(subscription, result + [TimedSignal(event.moment, .finished)])
      case .fail(let error):
        return StreamRun(subscription, result + [TimedSignal(event.moment, .failure(error))])
      case .passAndFinish(let output):
        result.append(TimedSignal(event.moment.step(0), .value(output)))
        // An end that comes within the delivery of the value is earlier.
        let nested = signals[index...].end.flatMap { $0.moment < event.moment.step(1) ? $0 : nil }
        let end = nested ?? TimedSignal(event.moment.step(1), .finished)
        return StreamRun(subscription, result + [end])
      }
    }
    return StreamRun(subscription, result)
  }

  /// Replaces the error of a failure.
  func mapError(_ transform: (TestError) -> TestError) -> StreamRun {
    StreamRun(
      subscription,
      signals.map { event in
        guard case .failure(let error) = event.signal else { return event }
        return TimedSignal(event.moment, .failure(transform(error)))
      })
  }
}

extension Collection where Element == TimedSignal, Self: BidirectionalCollection {
  /// The signals before a moment.
  func before(_ moment: Moment) -> [TimedSignal] { filter { $0.moment < moment } }

  /// The end, if there is one.
  var end: TimedSignal? { last.flatMap { $0.signal.isEnd ? $0 : nil } }

  /// The first value, if there is one.
  var firstValue: TimedSignal? { first.flatMap { $0.signal.isEnd ? nil : $0 } }
}

/// The signals of several streams in one list, each with the index of its stream.
func inOrder(_ streams: [[TimedSignal]]) -> [(index: Int, event: TimedSignal)] {
  streams.enumerated()
    .flatMap { index, signals in signals.map { (index: index, event: $0) } }
    // Stable, so the signals of one stream keep their order.
    .enumerated()
    .sorted { ($0.element.event.moment, $0.offset) < ($1.element.event.moment, $1.offset) }
    .map(\.element)
}

/// The signals of upstream if everything is requested of it as soon as downstream has its
/// subscription.
func requestingAll(of upstream: StreamModel, _ start: Start) -> StreamRun {
  let attached = upstream(Start(start.subscribed, requested: .never)).subscription
  let run = upstream(Start(start.subscribed, requested: attached.step(1)))
  return StreamRun(attached.step(0), run.signals)
}

extension Array where Element == Int {
  /// A number that depends on all elements and their order, for operators that publish arrays.
  var digest: Int { reduce(7) { 31 &* $0 &+ $1 } }
}
