import Foundation
import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Things that are nearly simultaneous, in both orders.
struct NearEqualTests {
  private static func load(
    _ name: String, after time: Int, in world: World
  ) -> AnyPublisher<String, Never> {
    let url = "https://example.com/\(name)"
    world.network.stub(.get, url, responses: .text(name, after: .milliseconds(time)))
    return world.session.dataTaskPublisher(for: URL(string: url)!)
      .map { String(decoding: $0.data, as: UTF8.self) }
      .replaceError(with: "failed")
      .eraseToAnyPublisher()
  }

  /// Two loads that take 100 and 120 ms. The last one to arrive stays.
  private static func last(in world: World) -> String {
    nonisolated(unsafe) var screen = ""
    load("a", after: 100, in: world).merge(with: load("b", after: 120, in: world))
      .sink { screen = $0 }
      .store(in: &world.cancellables)
    world.run()
    return screen
  }

  @Test func responsesThatAreNearlyEqualChangePlaces() {
    let messages = issues {
      expectSameInEveryOrder(within: .milliseconds(50)) { Self.last(in: $0) }
    }
    #expect(
      messages == [
        """
        the outcome depends on the order of what happens within 50ms: the response to GET /a
        usually, at 100ms:
          b
                     0ms  100ms        120ms
          request 1  ^----(200, 1 B|)
          request 2  ^-----------------(200, 1 B|)
            200  OK
        if it comes at 121ms or later (tried up to 150ms):
          a
                     0ms  120ms        121ms
          request 1  ^-----------------(200, 1 B|)
          request 2  ^----(200, 1 B|)
            200  OK
        to run that again: withWorld(moving: "GET /a to 121ms") { world in … }
        """
      ])
  }

  @Test func responsesThatAreFurtherApartDoNot() {
    expectSameInEveryOrder(within: .milliseconds(19)) { Self.last(in: $0) }
  }

  @MainActor @Test func anAsynchronousTestIsSearchedToo() async {
    let messages = Locked<[String]>([])
    let reporter = IssueReporter { message, _ in messages.withLock { $0.append(message) } }
    await IssueReporter.$current.withValue(reporter) {
      await expectSameInEveryOrder(within: .milliseconds(50)) { world in
        await Task.yield()
        _ = world.record(
          Self.load("a", after: 100, in: world).merge(with: Self.load("b", after: 120, in: world)))
        world.run()
      }
    }
    #expect(messages.withLock { $0.count } == 1)
  }

  /// A tap that comes right after a response, at the same instant, is lost. One that comes a
  /// millisecond later isn't.
  @Test func theOtherOrderAtOneInstantIsTriedToo() {
    let body: (World) -> [Int] = { world in
      nonisolated(unsafe) var loaded = VirtualTime.max
      nonisolated(unsafe) var taps: [Int] = []
      Self.load("a", after: 100, in: world).sink { _ in loaded = world.clock.now }
        .store(in: &world.cancellables)
      world.at(.milliseconds(130)) { if loaded != world.clock.now { taps.append(1) } }
      world.run()
      return taps
    }
    expectSameAtAnyTime(of: .everything, body)
    let messages = issues { expectSameInEveryOrder(within: .milliseconds(50), body) }
    #expect(
      messages == [
        """
        the outcome depends on the order of what happens within 50ms: action 1 \
        (NearEqualTests.swift:84)
        usually, at 130ms:
          [1]
                     0ms  100ms
          request 1  ^----(200, 1 B|)
            200  OK
        if it comes at 100ms, with 100ms: request 1 before world.at:
          []
                     0ms  100ms
          request 1  ^----(200, 1 B|)
            200  OK
        to run that again: withWorld(schedule: "100ms:1", moving: "action 1 to 100ms") { world in … }
        """
      ])
  }

  /// A user doesn't type "swift" before "sw", however close they are. But two users may.
  @Test func whatATestDoesItselfKeepsItsOrder() {
    func typed(in world: World, _ send: (PassthroughSubject<String, Never>) -> Void) -> [String] {
      nonisolated(unsafe) var shown: [String] = []
      let queries = PassthroughSubject<String, Never>()
      queries.sink { shown.append($0) }.store(in: &world.cancellables)
      send(queries)
      world.run()
      return shown
    }
    expectSameInEveryOrder(within: .milliseconds(50)) { world in
      typed(in: world) { queries in
        world.at(.milliseconds(30)) { queries.send("swift") }
        world.at(.milliseconds(10)) { queries.send("sw") }
      }
    }
    expectSameInEveryOrder(within: .milliseconds(50)) { world in
      let keys = world.hot("a-b-c|", frame: .milliseconds(10), as: "keys")
      _ = world.record(keys)
      world.run()
    }
    let messages = issues {
      expectSameInEveryOrder(within: .milliseconds(50)) { world in
        let ada = world.hot("-a-|", frame: .milliseconds(10), as: "Ada")
        let bob = world.hot("--b-|", frame: .milliseconds(10), as: "Bob")
        _ = world.record(ada.merge(with: bob))
        world.run()
      }
    }
    #expect(messages.first?.contains("within 50ms: Ada value 1") ?? false, "\(messages)")
  }

  /// What the program times by itself keeps its length, so nothing can change places.
  @Test func timersOfTheProgramAreNotMoved() {
    nonisolated(unsafe) var runs = 0
    expectSameInEveryOrder(within: .seconds(1)) { world -> [Int] in
      runs += 1
      nonisolated(unsafe) var values: [Int] = []
      for number in 1...2 {
        Just(number).delay(for: .milliseconds(number * 10), scheduler: world.clock)
          .sink { values.append($0) }
          .store(in: &world.cancellables)
      }
      world.run()
      return values
    }
    #expect(runs == 2)
  }

  /// The first run of the whole test is the only one whose problems fail it.
  @Test func aProblemIsReportedOnce() {
    let messages = issues {
      expectSameInEveryOrder(within: .milliseconds(10)) { world in
        world.network.stub(.get, "https://example.com/never", responses: .text(""))
        return Self.last(in: world)
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("https://example.com/never") ?? false, "\(messages)")
  }
}
