import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct ShareAndReplayTests {
  // region: test
  @Test func `A late subscriber gets the latest value at once`() throws {
    let world = try World.current
    let position = world.cold("-1---2---3-", digits)
      .lane("position")
      .shareReplay()

    let map = world.record(position, as: "map")
    world.at(.milliseconds(3)) {
      let list = world.record(position, as: "list")
      world.at(.milliseconds(7)) {
        #expect(
          list.events == [
            .subscription(at: .milliseconds(3)), .value(1, at: .milliseconds(3)),
            .value(2, at: .milliseconds(5)),
          ])
        list.cancel()
        map.cancel()
      }
    }
    world.run()
    #expect(map.values == [1, 2])
  }
  // endregion

  @Test func `All share one subscription, which ends with the last of them`() throws {
    let world = try World.current
    let source = world.cold("-1---------", digits)
    let shared = source.shareReplay()
    let first = world.record(shared)
    let second = world.record(shared)
    world.at(.milliseconds(2)) { first.cancel() }
    world.at(.milliseconds(4)) { second.cancel() }
    world.run()
    expectSubscriptions(source, ["^---!"])
    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  @Test func `A new start begins with the last value of the one before`() throws {
    let world = try World.current
    let source = world.cold("-1-2-------", digits)
    let shared = source.shareReplay()
    let first = world.record(shared)
    world.at(.milliseconds(2)) { first.cancel() }
    world.run()
    let second = world.record(shared)
    world.advance(by: .milliseconds(2))
    second.cancel()
    #expect(first.values == [1])
    #expect(second.values == [1, 1])
  }

  @Test func `After the end only the end comes`() throws {
    let world = try World.current
    let shared = [1, 2].publisher.shareReplay()
    #expect(world.record(shared).values == [1, 2])
    #expect(world.record(shared).events == [.subscription(at: .zero), .finished(at: .zero)])
  }
}
