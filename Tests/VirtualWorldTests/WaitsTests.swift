import StreamsFoundation
import StreamsTesting
import TestSupport
import Testing
import Timeline

/// The record knows the times that operators let pass, and what became of them.
@Suite(.world) struct WaitsTests {
  private let world: World

  init() throws { world = try World.current }

  private struct Lost: Error {}

  private func letters(_ values: (String, Int)...) -> AnyPublisher<String, Never> {
    let subject = PassthroughSubject<String, Never>()
    for (text, time) in values { world.at(.milliseconds(time)) { subject.send(text) } }
    return subject.lane("letters").eraseToAnyPublisher()
  }

  /// Runs a publisher until 900 ms.
  ///
  /// - Returns: The waits, such as `out.1 0–100ms over after a`.
  private func waits(of publisher: some Publisher<some Any, some Any>) -> [String] {
    let subscription = publisher.lane("out").sink(receiveCompletion: { _ in }) { _ in }
    world.run(until: .milliseconds(900))
    defer { subscription.cancel() }
    return described(world.timeline.recording)
  }

  private func described(_ recording: Timeline.Recording) -> [String] {
    recording.waits.map { wait in
      let cause = recording.events.first { $0.number == wait.cause }
      let name = "\(wait.lane.name).\(wait.subscription.map { "\($0)" } ?? "?")"
      let span = wait.ending == .pending ? "\(wait.start)" : "\(wait.start)–\(wait.end)"
      let reason = cause.map { " after \($0.lane.name) \($0.kind)" } ?? ""
      return "\(name) \(span) \(wait.ending)\(reason)"
    }
  }

  @Test func eachValueRestartsDebounce() {
    let typed = letters(("a", 0), ("b", 100), ("c", 600))
    #expect(
      waits(of: typed.debounce(for: .milliseconds(300), scheduler: world.clock)) == [
        "out.1 0–100ms stopped after letters value a",
        "out.1 100ms–400ms over after letters value b",
        "out.1 600ms–900ms over after letters value c",
      ])
  }

  @Test func theEndOfAStreamStopsItsTimer() {
    let typed = letters(("a", 100)).prefix(untilOutputFrom: letters(("end", 250)))
    #expect(
      waits(of: typed.debounce(for: .milliseconds(300), scheduler: world.clock)) == [
        "out.1 100ms–250ms stopped after letters value a"
      ])
  }

  @Test func cancellingStopsTheTimer() {
    let typed = letters(("a", 100))
      .debounce(for: .milliseconds(300), scheduler: world.clock)
    var subscription: AnyCancellable? = typed.lane("out").sink { _ in }
    world.at(.milliseconds(200)) { subscription = nil }
    world.run()
    _ = subscription
    #expect(
      described(world.timeline.recording) == ["out.1 100ms–200ms stopped after letters value a"])
  }

  /// Its timer can't be stopped, but nothing follows from it any more.
  @Test func cancellingStopsADelay() {
    let values = letters(("a", 100)).delay(for: .milliseconds(300), scheduler: world.clock)
    var subscription: AnyCancellable? = values.lane("out").sink { _ in }
    world.at(.milliseconds(200)) { subscription = nil }
    world.run()
    _ = subscription
    #expect(
      described(world.timeline.recording) == ["out.1 100ms–200ms stopped after letters value a"])
  }

  @Test func aTimeoutRunsFromEachValueToTheNext() {
    let values = letters(("a", 100), ("b", 300)).setFailureType(to: Lost.self)
    let limited = values.timeout(.milliseconds(500), scheduler: world.clock) { Lost() }
    #expect(
      waits(of: limited) == [
        "out.1 0–100ms stopped after out request unlimited",
        "out.1 100ms–300ms stopped after letters value a",
        "out.1 300ms–800ms over after letters value b",
      ])
  }

  /// Its interval begins with what it delivered last, whenever the next value comes.
  @Test func throttleWaitsFromItsLastValue() {
    let values = letters(("a", 100), ("b", 200), ("c", 300), ("d", 850))
    #expect(
      waits(
        of: values.throttle(for: .milliseconds(300), scheduler: world.clock, latest: true)) == [
          "out.1 100ms–400ms over after letters value b"
        ])
  }

  @Test func delayWaitsForEachValueAndTheEnd() {
    let values = letters(("a", 100), ("b", 200)).first { $0 == "b" }
    #expect(
      waits(of: values.delay(for: .milliseconds(300), scheduler: world.clock)) == [
        "out.1 200ms–500ms over after letters value b",
        "out.1 200ms–500ms over after letters value b",
      ])
  }

  @Test func collectingByTimeWaitsAgainAndAgain() {
    let values = letters(("a", 100), ("b", 700))
    #expect(
      waits(of: values.collect(.byTime(world.clock, .milliseconds(400)))) == [
        "out.1 0–400ms over after letters subscribed",
        "out.1 400ms–800ms over after letters subscribed",
        "out.1 800ms pending after letters subscribed",
      ])
  }

  /// A pause between attempts belongs to the lane below, whichever event it follows from.
  @Test func aPauseBeforeARetryIsAWait() {
    let world = world
    let load = Fail<String, Lost>(error: Lost()).lane("load")
    let patient = load.catch { error in
      Fail<String, Lost>(error: error)
        .delay(for: .milliseconds(200), scheduler: world.clock)
    }
    #expect(
      waits(of: patient.retry(1)) == [
        "out.1 0–200ms over after load failed: Lost()",
        "out.1 200ms–400ms over after load failed: Lost()",
      ])
  }

  @Test func eachSubscriptionHasItsWaits() {
    let typed = letters(("a", 0)).debounce(for: .milliseconds(100), scheduler: world.clock)
      .lane("pause")
    let both = typed.merge(with: typed)
    #expect(
      waits(of: both) == [
        "pause.1 0–100ms over after letters value a", "pause.2 0–100ms over after letters value a",
      ])
  }

  @Test func aQueueOfTheWorldLetsTimePassToo() {
    let typed = letters(("a", 0)).debounce(for: .milliseconds(100), scheduler: DispatchQueue.main)
    #expect(waits(of: typed) == ["out.1 0–100ms over after letters value a"])
  }

  @Test func workThatIsDueAtOnceIsNoWait() {
    let typed = letters(("a", 100))
      .debounce(for: .zero, scheduler: world.clock).receive(on: world.clock)
    #expect(waits(of: typed) == [])
  }

  @Test func anOperatorWithoutALaneBelowHasNone() {
    let subscription = letters(("a", 100))
      .debounce(for: .milliseconds(100), scheduler: world.clock).sink { _ in }
    world.run()
    subscription.cancel()
    #expect(world.timeline.recording.waits == [])
  }
}
