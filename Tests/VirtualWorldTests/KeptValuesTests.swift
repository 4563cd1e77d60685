import StreamsTesting
import TestSupport
import Testing
import Timeline

/// The record knows which values the operators of a pipeline hold.
@Suite(.world) struct KeptValuesTests {
  private let world: World

  init() throws {
    world = try World.current
    world.timeline.tracksKeptValues()
  }

  /// What's kept, as the texts of the values.
  private static func texts(_ timeline: Timeline) -> String {
    let events = timeline.recording.events
    let kept = timeline.keptValues.map { value in
      let texts = value.events.map { number in
        events.first { $0.number == number }.map { $0.kind.description.dropFirst(6) } ?? "?"
      }
      return "\(value.keeper) \(texts.joined(separator: "+"))"
    }
    return kept.isEmpty ? "nothing" : kept.joined(separator: ", ")
  }

  /// Runs a publisher until 900 ms and cancels it.
  ///
  /// - Returns: What's kept while each value of the lane `out` is delivered, after each action, and
  ///   after the cancellation.
  private func history(of publisher: some Publisher<some Any, Never>) -> [String] {
    let lines = Locked<[String]>([])
    let timeline = world.timeline
    timeline.onEvent { [weak timeline] event in
      guard let timeline, event.lane.name == "out", event.kind.isValue else { return }
      let text = Self.texts(timeline)
      lines.withLock { $0.append("\(event.time) \(event.kind): \(text)") }
    }
    var subscription: AnyCancellable? = publisher.lane("out").sink { _ in }
    while world.clock.nextDue.map({ $0 < .milliseconds(900) }) ?? false, world.clock.step() != nil {
      let text = Self.texts(timeline)
      let line = "\(world.clock.now): \(text)"
      lines.withLock { if $0.last != line { $0.append(line) } }
    }
    _ = subscription
    subscription = nil
    world.clock.settle()
    let text = Self.texts(timeline)
    return lines.withLock { $0 + ["cancelled: \(text)"] }
  }

  @Test func debounceKeepsTheLatest() {
    let typed = world.source("typed", ("s", 0), ("sw", 100))
    let pauses = typed.debounce(for: .milliseconds(200), scheduler: world.clock)
    #expect(
      history(of: pauses) == [
        "0: Debounce s", "100ms: Debounce sw", "300ms value sw: nothing", "300ms: nothing",
        "cancelled: nothing",
      ])
  }

  @Test func zipKeepsWhatWaitsForAPartner() {
    let numbers = world.source("numbers", ("1", 0), ("2", 100), ("3", 500))
    let letters = world.source("letters", ("a", 200))
    #expect(
      history(of: numbers.zip(letters).map { $0 + $1 }) == [
        "0: Zip 1", "100ms: Zip 1, Zip 2", "200ms value 1a: Zip 2", "200ms: Zip 2",
        "500ms: Zip 2, Zip 3", "cancelled: nothing",
      ])
  }

  /// It lets go of the value that it has replaced after the delivery.
  @Test func combineLatestKeepsTheNewestOfEach() {
    let numbers = world.source("numbers", ("1", 0), ("2", 300))
    let letters = world.source("letters", ("a", 200))
    #expect(
      history(of: numbers.combineLatest(letters).map { $0 + $1 }) == [
        "0: CombineLatest 1", "200ms value 1a: nothing", "200ms: CombineLatest 1, CombineLatest a",
        "300ms value 2a: CombineLatest 1", "300ms: CombineLatest a, CombineLatest 2",
        "cancelled: nothing",
      ])
  }

  @Test func delayKeepsWhatIsOnItsWay() {
    let numbers = world.source("numbers", ("1", 0), ("2", 100))
    let late = numbers.delay(for: .milliseconds(250), scheduler: world.clock)
    #expect(
      history(of: late) == [
        "0: Delay 1", "100ms: Delay 1, Delay 2", "250ms value 1: Delay 2", "250ms: Delay 2",
        "350ms value 2: nothing", "350ms: nothing", "cancelled: nothing",
      ])
  }

  @Test func collectKeepsWhatItHas() {
    let numbers = world.source("numbers", ("1", 0), ("2", 100), ("3", 200))
    #expect(
      history(of: numbers.collect(2).map { $0.joined() }) == [
        "0: CollectByCount 1", "100ms value 12: nothing", "100ms: nothing",
        "200ms: CollectByCount 3", "cancelled: nothing",
      ])
  }

  @Test func aBufferKeepsWhatIsNotAskedFor() {
    let numbers = world.source("numbers", ("1", 0), ("2", 100), ("3", 200))
    let slow = numbers.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(1)) { [world] text in
        Just(text).delay(for: .milliseconds(250), scheduler: world.clock)
      }
    #expect(
      history(of: slow) == [
        "0: Delay 1", "100ms: Delay 1, Buffer 2", "200ms: Delay 1, Buffer 2, Buffer 3",
        "250ms value 1: Buffer 2, Buffer 3", "250ms: Buffer 2, Buffer 3",
        "250ms: Buffer 3, Delay 2", "500ms value 2: Buffer 3", "500ms: Buffer 3", "500ms: Delay 3",
        "750ms value 3: nothing", "750ms: nothing", "cancelled: nothing",
      ])
  }

  /// Its total isn't one of the values.
  @Test func scanKeepsNothing() {
    let numbers = world.source("numbers", ("1", 0), ("2", 100))
    #expect(
      history(of: numbers.scan("", +)) == [
        "0 value 1: nothing", "0: nothing", "100ms value 12: nothing", "100ms: nothing",
        "cancelled: nothing",
      ])
  }

  /// A value that passed no lane is kept too, without a text.
  @Test func aValueWithoutALaneHasNoOrigins() {
    let subject = PassthroughSubject<String, Never>()
    let pairs = subject.collect(2).map { $0.joined() }
    world.at(.milliseconds(100)) { subject.send("1") }
    #expect(
      history(of: pairs) == [
        "100ms: CollectByCount ", "cancelled: nothing",
      ])
  }

  @Test func worldsDoNotShareTheirValues() throws {
    let numbers = world.source("numbers", ("1", 0), ("2", 100))
    let subscription = numbers.collect().lane("out").sink { _ in }
    world.run(until: .milliseconds(500))
    #expect(world.timeline.keptValues.count == 2)
    withWorld { other in
      other.timeline.tracksKeptValues()
      #expect(other.timeline.keptValues == [])
    }
    subscription.cancel()
    #expect(world.timeline.keptValues == [])
  }
}
