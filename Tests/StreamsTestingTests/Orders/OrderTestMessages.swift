import Foundation
import Streams
import StreamsTesting
import Testing

/// What `expectSameInEveryOrder` says, in full.
struct OrderTestMessages {
  @Test func recordersAreComparedIfTheBodyReturnsNothing() {
    let messages = issues {
      expectSameInEveryOrder { world in
        let clicks = world.hot("--a-|")
        let keys = world.hot("--b-|")
        _ = world.record(clicks.merge(with: keys), as: "both")
        _ = world.record(clicks.count(), as: "count")
        world.run()
      }
    }
    let place = "OrderTestMessages.swift"
    #expect(
      messages.map { $0.replacing(/the HotPublisher of [^ ]+:\d+/) { _ in "a source" } } == [
        """
        the outcome depends on the order of what happens at one instant
        in the usual order:
          both: value a, value b, finished
          count: value 1, finished
          requests: none
                0ms  2ms     4ms
          both  ^----(a, b)--|
        with 2ms: a source before a source:
          both: value b, value a, finished
          count: value 1, finished
          requests: none
                0ms  2ms     4ms
          both  ^----(b, a)--|
        to run that order again: withWorld(schedule: "2ms:1") { world in … }
        """
      ])
    #expect(messages.first?.contains("\(place):") == true)
  }

  @Test func aRecorderWithoutANameIsComparedToo() {
    let messages = issues {
      expectSameInEveryOrder { world in
        _ = world.record(race(in: world))
        world.run()
      }
    }
    let lines = messages.first?.split(separator: "\n").filter { $0.contains("the recorder of") }
    #expect(
      lines?.map { $0.replacing(/:\d+/) { _ in "" } } == [
        #"  the recorder of OrderTestMessages.swift: value "a", value "b", finished"#,
        #"  the recorder of OrderTestMessages.swift: value "b", value "a", finished"#,
      ])
    #expect(messages.count == 1)
  }

  /// A problem of the world in some orders is an outcome; one in all orders fails as always.
  @Test func problemsBelongToTheOutcome() {
    let inSome = issues {
      expectSameInEveryOrder { world in
        race(in: world).first()
          .sink { if $0 == "b" { world.clock.schedule(after: .seconds(1)) {} } }
          .store(in: &world.cancellables)
        world.advance(by: .milliseconds(10))
        return "same"
      }
    }
    #expect(inSome.count == 1)
    #expect(inSome[0].contains("unfinished work"))
    let inAll = issues {
      expectSameInEveryOrder { world in
        world.network.stub(.get, "https://example.com", responses: .text(""))
        return "same"
      }
    }
    #expect(inAll.count == 1)
    #expect(inAll[0].contains("never got a request"))
  }

  @Test func moreOrdersThanTheLimitAreTold() {
    let messages = issues {
      expectSameInEveryOrder(limit: 2) { world in
        let sources = (0..<3).map { _ in world.hot("--a-|") }
        _ = world.record(Publishers.MergeMany(sources).count())
        world.run()
      }
    }
    #expect(
      messages == [
        "2 orders lead to the same outcome, but there are more: raise the limit, or make the test "
          + "smaller"
      ])
  }

  /// Each `DispatchQueue.main` may be another object.
  @Test func theMainQueueKeepsItsOrder() {
    #expect(
      issues {
        expectSameInEveryOrder(departures: 2) { world in
          nonisolated(unsafe) var list: [Int] = []
          var queues: [DispatchQueue] = []
          for number in 1...3 {
            let queue = DispatchQueue.main
            queues.append(queue)
            queue.schedule { list.append(number) }
          }
          world.run()
          return list
        }
      } == [])
  }

  @Test func timersOfTwoQueuesMayChangePlaces() {
    let orders = Locked<Set<[String]>>([])
    expectSameInEveryOrder { world in
      nonisolated(unsafe) var list: [String] = []
      for name in ["a", "b"] {
        Just(name).delay(for: .seconds(90), scheduler: DispatchQueue(label: name))
          .sink { list.append($0) }.store(in: &world.cancellables)
      }
      world.run()
      orders.withLock { [list] in _ = $0.insert(list) }
      return list.count
    }
    #expect(orders.withLock { $0 } == [["a", "b"], ["b", "a"]])
  }

  /// What the body keeps in mind is in no record, so nothing is left out.
  @Test func twoDeparturesAreTriedWithoutARecord() {
    let messages = issues {
      expectSameInEveryOrder(departures: 2) { world in
        let first = world.hot("--1--3--|", ["1": 1, "3": 3])
        let second = world.hot("--2--4--|", ["2": 2, "4": 4])
        let both = world.record(first.merge(with: second))
        world.run()
        return both.values == [2, 1, 4, 3]
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("withWorld(schedule: \"2ms:1 5ms:1\")") == true)
  }

  /// What happens when the world ends can't be chosen.
  @Test func theEndOfAWorldHasNoOrders() {
    #expect(
      issues {
        expectSameInEveryOrder { world in
          for name in ["a", "b"] {
            PassthroughSubject<Int, Never>().subscribe(on: DispatchQueue(label: name))
              .sink { _ in }.store(in: &world.cancellables)
          }
          world.run()
          return 1
        }
      } == [])
  }

  @Test func aTestThatIsNeverTheSameIsToldApart() {
    let calls = Locked(0)
    let messages = issues {
      expectSameInEveryOrder { world in
        let both = world.record(race(in: world))
        world.run()
        _ = both.values
        return calls.withLock { calls in
          calls += 1
          return calls
        }
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("two runs in the same order end differently") == true)
  }

  @Test func anErrorInOneOrderIsAnOutcome() throws {
    struct Oops: Error {}
    let messages = try issues {
      try expectSameInEveryOrder { world in
        let both = world.record(race(in: world))
        world.run()
        if both.values == ["b", "a"] { throw Oops() }
        return 1
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("the body threw Oops()") == true)
    #expect(throws: Oops.self) {
      try expectSameInEveryOrder { _ -> Int in throw Oops() }
    }
  }

  @Test func numbersBelowOneAreRefused() {
    #expect(
      issues { expectSameInEveryOrder(departures: 0) { _ in 1 } } == [
        "departures and limit must be 1 or more, and are 0 and 10000"
      ])
  }

  @Test func aScheduleThatDoesNotFitFailsTheTest() {
    #expect(
      issues { withWorld(schedule: "5ms:1") { $0.run() } } == [
        "the schedule doesn't fit this run: nothing is left to choose at 5ms"
      ])
    #expect(
      issues { withWorld(schedule: "5:1") { $0.run() } } == [
        "5:1 isn't part of a schedule: write an instant and picks, such as 600ms:1"
      ])
  }

  @Test func anAsynchronousBodyRunsInEveryOrder() async {
    let orders = Locked<Set<[String]>>([])
    await expectSameInEveryOrder { world in
      let both = world.record(race(in: world))
      world.run()
      await Task.yield()
      let values = both.values
      orders.withLock { _ = $0.insert(values) }
      return values.sorted()
    }
    #expect(orders.withLock { $0 } == [["a", "b"], ["b", "a"]])
  }

  @MainActor @Test func itWorksOnTheMainActor() {
    let shown = Locked<Set<String>>([])
    expectSameInEveryOrder { world in
      let clicks = world.hot("--a-|").receive(on: DispatchQueue(label: "clicks"))
      let keys = world.hot("--b-|").receive(on: DispatchQueue(label: "keys"))
      var last = ""
      clicks.merge(with: keys).receive(on: DispatchQueue.main)
        .sink { last = $0 }.store(in: &world.cancellables)
      world.run()
      shown.withLock { _ = $0.insert(last) }
      return last.count
    }
    #expect(shown.withLock { $0 } == ["a", "b"])
  }

  /// A value of each of two sources, at one instant.
  private func race(in world: World) -> some Publisher<String, Never> {
    world.hot("--a-|").merge(with: world.hot("--b-|"))
  }
}
