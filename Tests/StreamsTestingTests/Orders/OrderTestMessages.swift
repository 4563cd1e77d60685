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
                0ms  2ms   4ms
          both  ^----(AB)--|
            A   a
            B   b
        with 2ms: a source before a source:
          both: value b, value a, finished
          count: value 1, finished
          requests: none
                0ms  2ms   4ms
          both  ^----(AB)--|
            A   b
            B   a
        to run that order again: withWorld(schedule: "2ms:1") { world in … }
        """
      ])
    #expect(messages.first?.contains("\(place):") == true)
  }

  @Test func aRecorderWithoutANameIsComparedToo() {
    let messages = issues {
      expectSameInEveryOrder { world in
        let clicks = world.hot("--a-|")
        let keys = world.hot("--b-|")
        _ = world.record(clicks.merge(with: keys))
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
        let clicks = world.hot("--a-|")
        let keys = world.hot("--b-|")
        clicks.merge(with: keys).first()
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
      let clicks = world.hot("--a-|")
      let keys = world.hot("--b-|")
      let both = world.record(clicks.merge(with: keys))
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
}
