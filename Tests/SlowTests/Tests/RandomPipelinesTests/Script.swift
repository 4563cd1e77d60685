import Streams
import TestSupport
import VirtualTime

/// The signals sent to a subject, or the result of a future, and when.
///
/// The clock sends it, in actions that are scheduled before anything is subscribed to.
struct Script: Sendable {
  enum Receiver: Hashable, Sendable {
    case passthroughSubject
    case currentValueSubject(Int)
    /// Takes only the first signal that isn't `finished`.
    case future
  }

  struct Line: Hashable, Sendable {
    var time: Int
    var signal: Signal
  }

  var receiver: Receiver

  /// The lines, in the order in which they're scheduled. Two may have the same time.
  var lines: [Line]

  /// Signals that subscribers send from within a delivery, for the model alone.
  var extras: [TimedSignal] = []

  // MARK: Build

  func build(on clock: VirtualTimeScheduler) -> AnyPublisher<Int, TestError> {
    switch receiver {
    case .passthroughSubject: schedule(PassthroughSubject(), on: clock)
    case .currentValueSubject(let value): schedule(CurrentValueSubject(value), on: clock)
    case .future:
      Future { promise in
        for line in lines {
          clock.schedule(after: .milliseconds(line.time)) {
            switch line.signal {
            case .value(let value): promise(.success(value))
            case .failure(let error): promise(.failure(error))
            case .finished: break
            }
          }
        }
      }.eraseToAnyPublisher()
    }
  }

  func schedule<S: Subject>(_ subject: S, on clock: VirtualTimeScheduler) -> AnyPublisher<
    Int, TestError
  > where S.Output == Int, S.Failure == TestError {
    for line in lines {
      clock.schedule(after: .milliseconds(line.time)) {
        switch line.signal {
        case .value(let value): subject.send(value)
        case .finished: subject.send(completion: .finished)
        case .failure(let error): subject.send(completion: .failure(error))
        }
      }
    }
    return subject.eraseToAnyPublisher()
  }

  // MARK: Model

  /// The signals in the order in which the clock sends them, up to the end.
  ///
  /// - Parameter index: The index of the script. The scripts are scheduled in this order.
  func sent(index: Int) -> [TimedSignal] {
    let all = lines.enumerated().map { place, line in
      TimedSignal(Moment.start.step(index).step(place).scheduled(after: line.time), line.signal)
    }
    let ordered = inOrder([all, extras]).map(\.event)
    guard let end = ordered.firstIndex(where: { $0.signal.isEnd }) else { return ordered }
    return Array(ordered[...end])
  }

  func model(_ start: Start, index: Int) -> StreamRun {
    let subscribed = start.subscribed
    let sent = sent(index: index)
    /// The signals after a moment, as this subscriber receives them.
    func delivered(_ signals: [TimedSignal]) -> [TimedSignal] {
      signals.map {
        TimedSignal($0.moment.delivery(toSubscriberFrom: subscribed), $0.signal)
      }
    }
    switch receiver {
    case .future:
      let fulfilments = lines.enumerated().map { place, line in
        TimedSignal(Moment.start.step(index).step(place).scheduled(after: line.time), line.signal)
      }
      let first = inOrder([fulfilments]).map(\.event).first { $0.signal != .finished }
      guard let first else { return StreamRun(start.handOver, []) }
      let isSuccess = !first.signal.isEnd
      let since = isSuccess ? start.requested : subscribed
      let moment =
        first.moment < since ? since : first.moment.delivery(toSubscriberFrom: subscribed)
      let end = TimedSignal(moment.step(2), .finished)
      return StreamRun(
        start.handOver, [TimedSignal(moment.step(1), first.signal)] + (isSuccess ? [end] : []))
    case .passthroughSubject, .currentValueSubject:
      if let end = sent.end, end.moment < subscribed {
        return StreamRun(start.handOver, [TimedSignal(subscribed.step(1), end.signal)])
      }
      // A value that comes before the request is dropped. The end isn't.
      var signals = delivered(
        sent.filter { $0.moment > ($0.signal.isEnd ? subscribed : start.requested) })
      if case .currentValueSubject(let initial) = receiver,
        signals.end == nil || start.requested < sent.end!.moment, start.requested != .never
      {
        let missed = sent.filter { $0.moment < start.requested && !$0.signal.isEnd }
        signals.insert(
          TimedSignal(start.requested.step(1), missed.last?.signal ?? .value(initial)), at: 0)
      }
      return StreamRun(start.handOver, signals)
    }
  }

  // MARK: Code

  /// The lines that make the subject or the future and schedule the script.
  func code(index: Int) -> [String] {
    let name = "subject\(index)"
    func scheduled(_ line: Line, _ action: String) -> String {
      "clock.schedule(after: .milliseconds(\(line.time))) { \(action) }"
    }
    switch receiver {
    case .future:
      let body = lines.compactMap { line -> String? in
        switch line.signal {
        case .value(let value): scheduled(line, "promise(.success(\(value)))")
        case .failure(let error): scheduled(line, "promise(.failure(\"\(error)\"))")
        case .finished: nil
        }
      }
      let promise = body.isEmpty ? "_" : "promise"
      return ["let \(name) = Future<Int, TestError> { \(promise) in"] + body.map { "  " + $0 }
        + ["}"]
    case .passthroughSubject, .currentValueSubject:
      var result = ["let \(name) = PassthroughSubject<Int, TestError>()"]
      if case .currentValueSubject(let value) = receiver {
        result = ["let \(name) = CurrentValueSubject<Int, TestError>(\(value))"]
      }
      return result
        + lines.map { line in
          switch line.signal {
          case .value(let value): scheduled(line, "\(name).send(\(value))")
          case .finished: scheduled(line, "\(name).send(completion: .finished)")
          case .failure(let error):
            scheduled(line, "\(name).send(completion: .failure(\"\(error)\"))")
          }
        }
    }
  }
}
