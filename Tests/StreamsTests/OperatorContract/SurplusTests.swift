import Streams
import TestSupport
import Testing
import VirtualTime

/// Tests one rule for every operator: a value that wasn't requested neither ends the program nor
/// gets lost. An operator passes it on when it comes. One that keeps values anyway, such as
/// `flatMap`, keeps this one too.
///
/// Each operator stands behind each source of such values. A subscriber that requests its values
/// one by one has to get the same history as one that has requested them all. The exceptions lose
/// values whenever there's no demand, or have a limit of their own.
struct SurplusTests {
  @Test(arguments: Operation.all, Surplus.allCases)
  func valuesThatWereNotRequestedAreNotLost(_ operation: Operation, _ surplus: Surplus) {
    let all = history(of: operation, behind: surplus, demand: .unlimited)
    let exception = Self.exceptions[operation.label].map {
      surplus.values == 2 ? $0.ofTwo : $0.ofFive
    }
    expectEqual(history(of: operation, behind: surplus, demand: .max(1)), exception ?? all)
    if surplus.values == 5 { expectEqual(all, operation.finished) }
  }

  /// What comes of two values and of five, if one is requested at once and the others later.
  private static let exceptions = [
    // Subjects drop values for a subscriber without demand.
    "share": ("1 |", "1 |"),
    "multicast, autoconnect": ("1 |", "1 |"),
    // These choose one of several values, also for want of demand.
    "combineLatest": ("(0,1) |", "(0,1) |"),
    "debounce": ("1 |", "1 |"),
    "throttle": ("1 |", "1 |"),
    "switchToLatest, upstream": ("1 2 |", "1 5 |"),
    // One value at a time of each publisher waits.
    "flatMap, upstream": ("1 1 2 2 |", "1 1 2 3 4 5 2 3 4 5 |"),
    // It has room for two, and its failure drops the one that's still waiting.
    "buffer that keeps full": ("1 2 |", "1 2 x"),
  ].mapValues { (ofTwo: $0.0, ofFive: $0.1) }

  private func history(
    of operation: Operation, behind surplus: Surplus, demand: Subscribers.Demand
  ) -> String {
    let surroundings = Surroundings()
    let source = ScriptedPublisher<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    let run =
      operation
      .applied(
        to: surplus.publisher(source, subject, surroundings.clock).map { Number($0) }, surroundings
      )
      .subscribe(SubscriberScript(demand: demand))
    for value in 1...surplus.values {
      if surplus == .ownPublisher { source.send(value) } else { subject.send(value) }
      // The rest of an interval is sent at the end.
      if value < surplus.values || surplus.values == 5 { run.settle() }
    }
    if surplus == .ownPublisher { source.finish() } else { subject.send(completion: .finished) }
    run.settle()
    for _ in 1...20 { run.request() }
    return run.text
  }

  // MARK: Chains

  /// The events end while a batch is being uploaded. The rest of the batches comes unrequested, and
  /// waits until that upload is over.
  @Test func theLastBatchWaitsForItsUpload() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let events = PassthroughSubject<Int, TestError>()
    let log = CallLog()
    let sink = events.collect(.byTime(clock, .milliseconds(50)))
      .replaceError(with: [])
      .flatMap(maxPublishers: .max(1)) { batch in
        log.append("\(clock.now): upload \(batch)")
        return Just(batch.count).delay(for: .seconds(1), scheduler: clock)
      }
      .sink {
        log.append("\(clock.now): \($0)")
      } receiveValue: {
        log.append("\(clock.now): \($0)")
      }
    for value in 1...7 {
      clock.schedule(after: .milliseconds(value * 20 - 5)) { events.send(value) }
    }
    clock.schedule(after: .milliseconds(140)) { events.send(completion: .finished) }
    clock.run()
    expectEqual(
      log.lines,
      [
        "50ms: upload [1, 2]", "1050ms: 2", "1050ms: upload [3, 4, 5, 6, 7]", "2050ms: 5",
        "2050ms: finished",
      ])
    sink.cancel()
  }

  @Test func countingOperatorsBehindEachOtherPassEverythingOn() {
    let subject = PassthroughSubject<Int, TestError>()
    let history = subject.replaceEmpty(with: 0)
      .retry(1).tryCatch { _ in Just(7) }.catch { _ in Just(8) }.replaceError(with: 9).append(6)
      .history(demand: .max(1))
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    expectEqual(history.values, [1, 2, 3])
    history.request(1)
    expectEqual(
      history.events,
      [.subscription("Concatenate")] + [1, 2, 3, 6].map { .value($0) } + [.finished])
  }

  /// Values that came unrequested were still delivered, so there's no demand left for the next
  /// upstream, and a later request goes there in full.
  @Test(arguments: SuccessionOperator.all)
  func theNextUpstreamIsOwedNothing(_ operation: SuccessionOperator) {
    let first = ScriptedPublisher<Int, TestError>()
    let second = ScriptedPublisher<Int, TestError>()
    let history = operation.apply(first, then: second).history(demand: .max(1))
    for value in 1...3 { expectEqual(first.send(value), .none) }
    first.fail("no more")
    expectEqual(second.calls, [])
    history.request(2)
    expectEqual(second.calls, [.request(.max(2))])
    for value in 4...6 { second.send(value) }
    second.finish()
    expectEqual(
      history.events, [.subscription(operation.name)] + (1...6).map { .value($0) } + [.finished])
  }

  /// The demand of one thread never falls below zero while another one requests.
  @Test(arguments: SuccessionOperator.all)
  func aRequestDuringSurplusIsNotLost(_ operation: SuccessionOperator) {
    for _ in 0..<100 {
      let source = ScriptedPublisher<Int, TestError>()
      let history = operation.apply(source).history(demand: .max(1))
      onThreads(2) { thread in
        for value in 1...20 {
          if thread == 0 { source.send(value) } else { history.request(1) }
        }
      }
      expectEqual(history.values, Array(1...20))
    }
  }
}

/// A source of values that weren't requested.
enum Surplus: CaseIterable, Sendable {
  /// A publisher of one's own that doesn't count.
  case ownPublisher
  /// Requests everything, and passes it on.
  case replaceEmpty
  /// These send what's left at the end, requested or not.
  case collectByTime, collectByTimeOrCount

  /// How many values it sends. The forms of `collect` send the last of them unrequested, and the
  /// other two all but the first.
  var values: Int { self == .ownPublisher || self == .replaceEmpty ? 5 : 2 }

  func publisher(
    _ source: ScriptedPublisher<Int, TestError>, _ subject: PassthroughSubject<Int, TestError>,
    _ clock: VirtualTimeScheduler
  ) -> AnyPublisher<Int, TestError> {
    switch self {
    case .ownPublisher: source.eraseToAnyPublisher()
    case .replaceEmpty: subject.replaceEmpty(with: 0).eraseToAnyPublisher()
    case .collectByTime:
      subject.collect(.byTime(clock, .seconds(1))).firstOfEach()
    case .collectByTimeOrCount:
      subject.collect(.byTimeOrCount(clock, .seconds(1), 2)).firstOfEach()
    }
  }
}

extension Publisher where Output == [Int], Failure == TestError {
  /// The first value of each array, with the same demand.
  fileprivate func firstOfEach() -> AnyPublisher<Int, TestError> {
    map { $0.first ?? 0 }.eraseToAnyPublisher()
  }
}
