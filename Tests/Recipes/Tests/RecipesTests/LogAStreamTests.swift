import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct LogAStreamTests {
  // region: test
  @Test func `Each signal is a line`() throws {
    let world = try World.current
    var lines: [String] = []
    let numbers = world.cold("-1-2-3-|", digits)
      .lane("numbers")
    let result = world.record(
      numbers.logged("numbers") { lines.append($0) }.prefix(2), as: "prefix")
    world.run()

    #expect(
      lines == [
        "numbers: subscribed", "numbers: requested all", "numbers: 1", "numbers: 2",
        "numbers: cancelled",
      ])
    #expect(result.values == [1, 2])
  }
  // endregion

  @Test func `A failure has its reason, and demand its number`() throws {
    let world = try World.current
    var lines: [String] = []
    let result = world.record(
      Fail<Int, Oops>(error: Oops()).logged("load") { lines.append($0) }, demand: .max(1))
    #expect(result.events == [.subscription(at: .zero), .failure(Oops(), at: .zero)])
    #expect(lines == ["load: subscribed", "load: requested 1", "load: failed: Oops()"])
    let one = world.record(Just(1).logged("one") { lines.append($0) }, demand: .max(1))
    #expect(one.values == [1])
    #expect(lines.suffix(4) == ["one: subscribed", "one: requested 1", "one: 1", "one: finished"])
  }
}
