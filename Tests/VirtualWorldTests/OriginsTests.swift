import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The record knows what each value is made of, also if that isn't what let it out.
@Suite(.world) struct OriginsTests {
  private let world: World

  init() throws { world = try World.current }

  private func origins(of publisher: some Publisher<some Any, Never>) -> [String] {
    world.origins(of: publisher)
  }

  // MARK: One publisher

  @Test func throttleDeliversTheLatestAndFollowsFromTheFirst() {
    let taps = world.source("taps", ("1", 0), ("2", 100), ("3", 200), ("4", 300))
    let throttled = taps.throttle(
      for: .milliseconds(250), scheduler: world.clock, latest: true)
    #expect(
      origins(of: throttled) == [
        "value 1: 1", "value 3: 3 <- taps value 2", "value 4: 4",
      ])
  }

  @Test func throttleDeliversTheFirst() {
    let taps = world.source("taps", ("1", 0), ("2", 100), ("3", 200))
    let throttled = taps.throttle(
      for: .milliseconds(250), scheduler: world.clock, latest: false)
    #expect(origins(of: throttled) == ["value 1: 1", "value 2: 2"])
  }

  @Test func debounceDeliversWhatStartedItsTimer() {
    let typed = world.source("typed", ("f", 0), ("fi", 100), ("fig", 500))
    let debounced = typed.debounce(for: .milliseconds(250), scheduler: world.clock)
    #expect(origins(of: debounced) == ["value fi: fi", "value fig: fig"])
  }

  @Test func aBufferedValueComesOutWithARequest() throws {
    let letters = world.source("letters", ("a", 0), ("b", 100))
    let buffered = letters.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest)
    var subscription: (any Subscription)?
    buffered.lane("out").subscribe(
      AnySubscriber(receiveSubscription: { subscription = $0 }, receiveValue: { _ in .none }))
    world.at(.milliseconds(700)) { subscription?.request(.max(1)) }
    world.run()
    #expect(world.origins == ["value a: a <- out request 1"])
    subscription?.cancel()
    subscription = nil
  }

  @Test func aTotalIsMadeOfAllValuesBefore() {
    let coins = world.source("coins", ("1", 0), ("2", 100), ("5", 200))
    let total = coins.scan("") { $0 + $1 }.map { "=" + $0 }
    #expect(origins(of: total) == ["value =1: 1", "value =12: 1 2", "value =125: 1 2 5"])
  }

  @Test func aLongRunKeepsTheLatestHundredOfATotal() throws {
    (1...300).publisher.lane("in").scan(0, +).lane("out").sink { _ in }
      .store(in: &world.cancellables)
    let events = world.timeline.recording.events
    let last = try #require(events.last { $0.lane.name == "out" && $0.kind.isValue })
    let inputs = events.filter { $0.lane.name == "in" && $0.kind.isValue }
    #expect(last.from == inputs.suffix(100).map(\.number))
  }

  @Test(arguments: 1...2) func aValueStaysMadeOfItsOriginOnOtherQueues(hops: Int) {
    let letters = world.source("letters", ("a", 0), ("b", 100))
    let moved = letters.receive(on: DispatchQueue(label: "a queue")).map { $0 + "!" }
    if hops == 1 { #expect(origins(of: moved) == ["value a!: a", "value b!: b"]) }
    guard hops == 2 else { return }
    let twice = moved.delay(for: .milliseconds(10), scheduler: DispatchQueue.main)
      .eraseToAnyPublisher()
    #expect(origins(of: twice) == ["value a!: a", "value b!: b"])
  }

  // MARK: Several publishers

  private var sides: (some Publisher<String, Never>, some Publisher<String, Never>) {
    (
      world.source("left", ("1", 0), ("2", 300)),
      world.source("right", ("a", 100), ("b", 200), ("c", 400))
    )
  }

  @Test func zipIsMadeOfBoth() {
    let zipped = sides.0.zip(sides.1) { $0 + $1 }
    #expect(origins(of: zipped) == ["value 1a: 1 a", "value 2b: b 2"])
  }

  @Test func combineLatestIsMadeOfBoth() {
    let combined = sides.0.combineLatest(sides.1).map { $0 + $1 }.eraseToAnyPublisher()
    #expect(
      origins(of: combined) == [
        "value 1a: 1 a", "value 1b: 1 b", "value 2b: b 2", "value 2c: 2 c",
      ])
  }

  /// A filter stands between the lanes and `zip`, and others behind it.
  @Test func operatorsWithoutALaneChangeNothing() {
    let right = sides.1.filter { $0 != "a" }.share()
    let zipped = sides.0.zip(right).map { $0 + $1 }.removeDuplicates().eraseToAnyPublisher()
      .handleEvents().eraseToAnyPublisher()
    #expect(origins(of: zipped) == ["value 1b: 1 b", "value 2c: 2 c"])
  }

  @Test func mergedValuesStayWhatTheyAre() {
    #expect(
      origins(of: sides.0.merge(with: sides.1))
        == ["value 1: 1", "value a: a", "value b: b", "value 2: 2", "value c: c"])
  }

  @Test func valuesThatWaitForARequestStayWhatTheyAre() {
    let merged = sides.0.merge(with: sides.1)
    var subscription: (any Subscription)?
    merged.lane("out").subscribe(
      AnySubscriber(receiveSubscription: { subscription = $0 }, receiveValue: { _ in .none }))
    world.at(.milliseconds(700)) { subscription?.request(.max(2)) }
    world.run()
    #expect(world.origins == ["value 1: 1 <- out request 2", "value a: a <- out request 2"])
    subscription?.cancel()
    subscription = nil
  }

  // MARK: Inner publishers

  @Test func anInnerLaneMakesItsOwnValues() {
    let posts = world.source("users", ("A", 0)).flatMap { user in
      Just(user + "1").delay(for: .milliseconds(50), scheduler: self.world.clock).lane("posts")
    }
    #expect(origins(of: posts) == ["value A1: A1"])
    let born = world.timeline.recording.events.first { $0.lane.name == "posts" && $0.kind.isValue }
    #expect(born?.from == [])
  }

  @Test func withoutAnInnerLaneTheOuterValueIsInIt() {
    let posts = world.source("users", ("A", 0)).flatMap { user in
      Just(user + "1").delay(for: .milliseconds(50), scheduler: self.world.clock)
    }
    #expect(origins(of: posts) == ["value A1: A"])
  }

  @Test func aTestsSourceIsMadeOfTheValueThatStartedIt() {
    let posts = world.source("users", ("A", 0)).flatMap { user in
      self.world.clock.cold([TimedEvent<String, Never>.value(user + "1", at: .milliseconds(50))])
    }
    #expect(origins(of: posts) == ["value A1: A"])
  }

  @Test func ticksAreMadeOfNothing() {
    let ticks = world.source("users", ("A", 0)).map { _ in
      Timer.publish(every: 0.1, on: .main, in: .common).autoconnect().prefix(2).map { _ in "tick" }
    }
    .switchToLatest()
    let causes = origins(of: ticks)
    #expect(causes == ["value tick:  <- users value A", "value tick:  <- users value A"])
  }

  @Test func aResponseIsMadeOfNoValue() throws {
    world.network.stub(.get, "https://example.com/A", responses: .text("Ada"))
    let session = world.session
    let url = try #require(URL(string: "https://example.com/A"))
    let users = world.source("users", ("A", 0)).flatMap { _ in
      session.dataTaskPublisher(for: url).map { String(decoding: $0.data, as: UTF8.self) }
        .replaceError(with: "?")
    }
    #expect(origins(of: users) == ["value Ada:  <- request 1 finished"])
  }

  // MARK: Answers

  @Test func anAnswerThatOneValueGivesIsMadeOfIt() {
    let letters = world.source("letters", ("a", 0), ("b", 100), ("c", 200))
    #expect(origins(of: letters.contains("b")) == ["value true: b"])
  }

  @Test func anAnswerOfTheEndIsMadeOfAllValues() {
    let letters = world.source("letters", ("a", 0), ("b", 100), ("c", 200)).prefix(2)
    #expect(origins(of: letters.count()) == ["value 2: a b"])
  }

  @Test func eachSubscriberCountsForItself() {
    let count = world.source("letters", ("a", 0), ("b", 100)).count()
    count.sink { _ in }.store(in: &world.cancellables)
    #expect(origins(of: count) == ["value 2: a b <- letters finished"])
  }

  // MARK: Elsewhere

  @Test func aValueThatASubjectPassesOnStaysWhatItIs() {
    let subject = PassthroughSubject<String, Never>()
    let letters = world.source("letters", ("a", 0))
    letters.sink { subject.send($0 + "?") }.store(in: &world.cancellables)
    subject.lane("out").sink { _ in }.store(in: &world.cancellables)
    world.run()
    #expect(world.origins == ["value a?: a"])
  }

  @Test func outsideAWorldNothingChanges() {
    let timeline = Timeline(clock: VirtualTimeScheduler())
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<Int, Never>()
    let pairs = left.recorded(as: "left", on: timeline).zip(
      right.recorded(as: "right", on: timeline))
    let subscription = pairs.recorded(as: "out", on: timeline) { "\($0)" }.sink { _ in }
    left.send(1)
    right.send(2)
    let values = timeline.recording.events.filter(\.kind.isValue)
    #expect(values.map(\.from) == [[], [], values.prefix(2).map(\.number)])
    #expect(values.map(\.kind.description) == ["value 1", "value 2", "value (1, 2)"])
    subscription.cancel()
  }
}
