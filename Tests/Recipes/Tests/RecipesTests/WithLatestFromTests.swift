import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct WithLatestFromTests {
  // region: test
  @Test func `Each tap takes the latest price`() throws {
    let world = try World.current
    let taps = world.hot("-a---b-c---|")
      .lane("taps")
    let prices = world.hot("--1-2----3--|", digits)
      .lane("prices")
    let orders = world.record(
      taps.withLatestFrom(prices).map { "\($0) for \($1)" }, as: "orders")
    world.run()

    #expect(
      orders.events == [
        .subscription(at: .zero), .value("b for 2", at: .milliseconds(5)),
        .value("c for 2", at: .milliseconds(7)), .finished(at: .milliseconds(11)),
      ])
  }
  // endregion

  @Test func `A current value is there at once`() throws {
    let world = try World.current
    let price = CurrentValueSubject<Int, Never>(7)
    let orders = world.record(["a", "b"].publisher.withLatestFrom(price).map { "\($0)\($1)" })
    #expect(
      orders.events == [
        .subscription(at: .zero), .value("a7", at: .zero), .value("b7", at: .zero),
        .finished(at: .zero),
      ])
  }

  @Test func `A failure of either side is the end`() throws {
    let world = try World.current
    let orders = world.record(
      world.hot("a-a-a|", failure: Oops()).withLatestFrom(
        world.hot("1--#", digits, failure: Oops())
      )
      .map { "\($0)\($1)" })
    world.run()
    #expect(
      orders.events == [
        .subscription(at: .zero), .value("a1", at: .milliseconds(2)),
        .failure(Oops(), at: .milliseconds(3)),
      ])
  }

  @Test func `A finish of the other side changes nothing`() throws {
    let world = try World.current
    let orders = world.record(
      world.hot("--a-b|").withLatestFrom(world.hot("-1|", digits)).map { "\($0)\($1)" })
    world.run()
    #expect(
      orders.events == [
        .subscription(at: .zero), .value("a1", at: .milliseconds(2)),
        .value("b1", at: .milliseconds(4)), .finished(at: .milliseconds(5)),
      ])
  }

  @Test func `A cancellation ends both subscriptions`() throws {
    let world = try World.current
    let taps = world.hot("---------|")
    let prices = world.hot("---------|")
    let orders = world.record(taps.withLatestFrom(prices).map(\.0))
    world.at(.milliseconds(2)) { orders.cancel() }
    world.run()
    expectSubscriptions(taps, ["^-!"])
    expectSubscriptions(prices, ["^-!"])
    #expect(orders.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(2))])
  }
}
