import TestSupport
import Testing

@testable import Streams

/// Tests what a subject's reservation of a sink changes, and what it mustn't change: when the sink
/// releases its closures, and what it does with other calls.
@Suite final class ReservationTests {
  typealias IntSubject = PassthroughSubject<Int, TestError>
  typealias IntSink = Subscribers.Sink<Int, TestError>

  let log = CallLog()
  let subject = IntSubject()

  // A subject that hasn't ended keeps itself alive by its subscribers.
  deinit { subject.send(completion: .finished) }

  static let both = SinkReleaseTests.both

  /// The log. Its last two lines are sorted, because the order of the two releases doesn't matter.
  var lines: [String] { log.lines.dropLast(2) + log.lines.suffix(2).sorted() }

  static func isReserved(_ sink: IntSink) -> Bool {
    guard sink._beginRun().value else { return true }
    sink._endRun()
    return false
  }

  // MARK: Which sinks are reserved

  struct Chain: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let attach: @Sendable (IntSubject, IntSink) -> Void

    init(
      _ description: String, attach: @escaping @Sendable (IntSubject, IntSink) -> Void
    ) {
      testDescription = description
      self.attach = attach
    }
  }

  static let direct = [
    Chain("sink") { $0.subscribe($1) },
    Chain("map") { $0.map { $0 }.subscribe($1) },
    Chain("filter") { $0.filter { _ in true }.subscribe($1) },
    Chain("scan") { $0.scan(0) { $1 }.subscribe($1) },
    Chain("mapError") { $0.mapError { $0 }.subscribe($1) },
    Chain("share") { $0.share().subscribe($1) },
    Chain("map, filter, prefix(while:)") {
      $0.map { $0 }.filter { _ in true }.prefix { _ in true }.subscribe($1)
    },
  ]

  static let indirect = [
    Chain("erased") { $0.map { $0 }.eraseToAnyPublisher().subscribe($1) },
    Chain("handleEvents") { $0.handleEvents().subscribe($1) },
    Chain("receive(on:)") { $0.receive(on: ImmediateScheduler.shared).subscribe($1) },
    Chain("map, buffer, map") {
      $0.map { $0 }.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).map { $0 }
        .subscribe($1)
    },
  ]

  @Test(arguments: direct) func aSubjectReservesASinkBehindDirectStages(chain: Chain) {
    let sink = SinkReleaseTests.sink(log: log)
    defer { sink.cancel() }
    #expect(!Self.isReserved(sink))
    chain.attach(subject, sink)
    #expect(Self.isReserved(sink))
    subject.send(1)
    #expect(Self.isReserved(sink))
    #expect(log.lines == ["begin 1", "end 1"])
  }

  @Test(arguments: indirect) func otherSinksAreNotReserved(chain: Chain) {
    let sink = SinkReleaseTests.sink(log: log)
    defer { sink.cancel() }
    chain.attach(subject, sink)
    #expect(!Self.isReserved(sink))
    subject.send(1)
    #expect(log.lines == ["begin 1", "end 1"])
  }

  @Test func aSubscriberInBetweenIsNotReserved() {
    let sink = SinkReleaseTests.sink(log: log)
    subject.subscribe(AnySubscriber(sink))
    #expect(!Self.isReserved(sink))
  }

  @Test func aSecondSubjectLeavesTheReservationAlone() {
    let sink = SinkReleaseTests.sink(log: log)
    let second = CurrentValueSubject<Int, TestError>(2)
    subject.subscribe(sink)
    second.subscribe(sink)
    second.send(3)
    subject.send(1)
    #expect(Self.isReserved(sink))
    second.send(completion: .finished)
    sink.cancel()
    #expect(lines == ["begin 1", "end 1"] + Self.both)
  }

  // MARK: Releases

  enum Ending: CaseIterable {
    case cancellation, cancellationOnAnotherThread, completion

    var lines: [String] { self == .completion ? ["finished"] : [] }

    func end(_ sink: IntSink, of subject: IntSubject) {
      nonisolated(unsafe) let sink = sink
      switch self {
      case .cancellation: sink.cancel()
      case .cancellationOnAnotherThread: onAnotherThread { sink.cancel() }
      case .completion: subject.send(completion: .finished)
      }
    }
  }

  /// The log if the closures are released at once: before the completion closure is called, which
  /// then keeps only itself.
  func atOnce(_ ending: Ending) -> [String] {
    ending == .completion
      ? ["value closure released", "finished", "completion closure released"] : Self.both
  }

  @Test(arguments: Ending.allCases, direct)
  func anEndOutsideAllSendsReleasesAtOnce(ending: Ending, chain: Chain) {
    let sink = SinkReleaseTests.sink(log: log)
    chain.attach(subject, sink)
    subject.send(1)
    log.removeAll()
    ending.end(sink, of: subject)
    withExtendedLifetime(sink) {
      #expect(ending == .completion ? log.lines == atOnce(ending) : lines == atOnce(ending))
    }
  }

  @Test(arguments: Ending.allCases, [false, true])
  func anEndInsideAValueReleasesAfterIt(ending: Ending, isNested: Bool) {
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = SinkReleaseTests.sink(log: log) { [subject] value in
      if isNested, value == 1 { subject.send(2) } else { ending.end(inside!, of: subject) }
    }
    inside = sink
    subject.map { $0 }.subscribe(sink)
    subject.send(1)
    withExtendedLifetime(sink) {
      let middle = isNested ? ["begin 2"] + ending.lines + ["end 2"] : ending.lines
      #expect(lines == ["begin 1"] + middle + ["end 1"] + Self.both)
    }
  }

  /// The value closure has returned, but the delivery is still under way.
  @Test(arguments: [false, true]) func aStageThatEndsReleasesAtOnce(isPutAside: Bool) {
    let sink = SinkReleaseTests.sink(log: log)
    if isPutAside {
      // While the sink requests, it doesn't have its subscription completely.
      subject.send(
        subscription: OnRequest { [unowned subject] in
          onAnotherThread { for value in 1...3 { subject.send(value) } }
        })
    }
    subject.prefix { $0 < 3 }.subscribe(sink)
    if !isPutAside { for value in 1...3 { subject.send(value) } }
    withExtendedLifetime(sink) {
      #expect(
        log.lines == ["begin 1", "end 1", "begin 2", "end 2"] + atOnce(.completion))
    }
  }

  @Test func aStageThatEndsAtTheCurrentValueReleasesAtOnce() {
    let sink = SinkReleaseTests.sink(log: log)
    CurrentValueSubject<Int, TestError>(1).prefix { $0 < 1 }.subscribe(sink)
    withExtendedLifetime(sink) { #expect(log.lines == atOnce(.completion)) }
  }

  @Test func aCancellationInsideTheCurrentValueReleasesAfterIt() {
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = SinkReleaseTests.sink(log: log) { _ in inside?.cancel() }
    inside = sink
    CurrentValueSubject<Int, TestError>(1).map { $0 }.subscribe(sink)
    withExtendedLifetime(sink) { #expect(lines == ["begin 1", "end 1"] + Self.both) }
  }

  /// Another subscriber of the same subject ends it, so the sink isn't inside a value.
  @Test(arguments: [Ending.cancellation, .completion])
  func anEndInsideAnotherSubscribersValueReleasesAtOnce(ending: Ending) {
    let sink = SinkReleaseTests.sink(log: log)
    let first = subject.sink(
      receiveCompletion: { _ in },
      receiveValue: { [log, subject] _ in
        ending.end(sink, of: subject)
        log.append("first is done")
      })
    subject.filter { $0 > 0 }.subscribe(sink)
    subject.send(1)
    let lines = log.lines
    #expect(lines.last == "first is done")
    #expect(
      ending == .completion
        ? lines.dropLast() == atOnce(ending)[...] : lines.dropLast().sorted() == atOnce(ending))
    withExtendedLifetime((first, sink)) {}
  }

  /// Another thread can't tell whether the subject is just about to deliver to the sink.
  @Test func aCancellationDuringAnotherThreadsSendReleasesAfterIt() {
    let slow = SlowSubscriber<TestError>(stopsAt: 1)
    let sink = SinkReleaseTests.sink(log: log)
    subject.subscribe(slow.history)
    subject.subscribe(sink)
    slow.onSenderThread { [subject] in subject.send(1) }
    sink.cancel()
    #expect(log.lines == [])
    slow.goOn()
    withExtendedLifetime(sink) { #expect(lines == Self.both) }
  }

  @Test func aCancellationInsideAnOperatorsClosureReleasesAtOnce() {
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = SinkReleaseTests.sink(log: log)
    inside = sink
    subject.map { [log] value in
      inside?.cancel()
      log.append("mapped")
      return value
    }.subscribe(sink)
    subject.send(1)
    withExtendedLifetime(sink) {
      #expect(log.lines.dropLast().sorted() == Self.both)
      #expect(log.lines.last == "mapped")
    }
  }

  // MARK: Calls from elsewhere

  @Test func otherCallsNestAndOverlap() {
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = SinkReleaseTests.sink(log: log) { [subject] value in
      nonisolated(unsafe) let sink = inside!
      switch value {
      case 1: _ = sink.receive(2)
      case 2: onAnotherThread { _ = sink.receive(3) }
      case 3: break
      case 4: subject.send(3)
      default: break
      }
    }
    inside = sink
    subject.subscribe(sink)
    subject.send(1)
    _ = sink.receive(4)
    #expect(
      log.lines == [
        "begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1", "begin 4", "begin 3", "end 3",
        "end 4",
      ])
    #expect(Self.isReserved(sink))
  }

  @Test(arguments: Ending.allCases)
  func anEndInsideAnotherCallReleasesAfterIt(ending: Ending) {
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = SinkReleaseTests.sink(log: log) { [subject] _ in
      ending.end(inside!, of: subject)
    }
    inside = sink
    subject.subscribe(sink)
    _ = sink.receive(1)
    withExtendedLifetime(sink) {
      #expect(log.lines.suffix(2) == ["end 1", "value closure released"])
      #expect(log.lines.contains("completion closure released"))
    }
  }

  @Test(arguments: Ending.allCases)
  func aCompletionFromElsewhereReleasesWithTheSubjectsNextSignal(next: Ending) {
    let sink = SinkReleaseTests.sink(log: log)
    subject.subscribe(sink)
    sink.receive(completion: .finished)
    #expect(log.lines == ["finished"])
    if next == .completion { subject.send(completion: .finished) } else { subject.send(1) }
    withExtendedLifetime(sink) { #expect(lines == ["finished"] + Self.both) }
  }

  // MARK: Threads

  enum Race: CaseIterable { case cancellation, completion, stage, completionFromElsewhere }

  /// Several threads send, one delivers past the subject, and one ends the sink.
  @Test(arguments: Race.allCases) func anEndAmongOtherThreadsReleasesOnce(race: Race) {
    for _ in 0..<150 {
      let subject = IntSubject()
      let releases = Locked(0)
      nonisolated(unsafe) let sink = SinkHolder(releases: releases).sink
      let ends = Locked(false)
      subject.prefix { _ in !ends.withLock { $0 } }.subscribe(sink)
      onThreads(4) { thread in
        switch (thread, race) {
        case (0, _), (1, _): for value in 0..<20 { subject.send(value) }
        case (2, _): for value in 0..<20 { _ = sink.receive(value) }
        case (_, .cancellation): sink.cancel()
        case (_, .completion): subject.send(completion: .finished)
        case (_, .stage): ends.withLock { $0 = true }
        case (_, .completionFromElsewhere): sink.receive(completion: .finished)
        }
      }
      // A stage may end the stream, or a completion from elsewhere release, only with one more
      // value.
      subject.send(99)
      #expect(releases.withLock { $0 } == 1)
      withExtendedLifetime(sink) {}
      subject.send(completion: .finished)
    }
  }

  /// The value closures cancel each other in nested sends, while other threads send too.
  @Test func nestedSendsThatCancelReleaseEachSinkOnce() {
    for _ in 0..<150 {
      let subject = IntSubject()
      let releases = Locked(0)
      nonisolated(unsafe) var sinks: [IntSink] = []
      sinks = (0..<4).map { index in
        SinkHolder(releases: releases) { value in
          if value == index { subject.send(value + 10) }
          if value == index + 10 { sinks[(index + 1) % 4].cancel() }
          if value == 15 { sinks[index].cancel() }
        }.sink
      }
      for sink in sinks { subject.map { $0 }.filter { $0 < 90 }.subscribe(sink) }
      onThreads(3) { _ in for value in 0..<6 { subject.send(value) } }
      subject.send(15)
      #expect(releases.withLock { $0 } == 4)
      withExtendedLifetime(sinks) {}
    }
  }
}

/// A sink that counts the release of its value closure.
private struct SinkHolder {
  let sink: Subscribers.Sink<Int, TestError>

  init(releases: Locked<Int>, onValue: @escaping (Int) -> Void = { _ in }) {
    let token = Token { releases.withLock { $0 += 1 } }
    sink = Subscribers.Sink(
      receiveCompletion: { _ in },
      receiveValue: {
        onValue($0)
        token.touch()
      })
  }
}

/// A subscription that calls a closure when it's requested.
private final class OnRequest: Subscription {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  func request(_ demand: Subscribers.Demand) { body() }

  func cancel() {}
}
