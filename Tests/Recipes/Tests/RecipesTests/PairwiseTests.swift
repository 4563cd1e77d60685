import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct PairwiseTests {
  // region: test
  @Test func `Each reading is compared with the one before`() throws {
    let world = try World.current
    let readings = world.hot("-5--7-4---|", digits)
      .lane("readings")
    let changes = world.record(
      readings.pairwise().map { $0.current - $0.previous }, as: "changes")
    world.run()

    #expect(
      changes.events == [
        .subscription(at: .zero), .value(2, at: .milliseconds(4)), .value(-3, at: .milliseconds(6)),
        .finished(at: .milliseconds(10)),
      ])
  }
  // endregion

  @Test func `One value has no pair`() throws {
    let world = try World.current
    let pairs = world.record(Just(1).pairwise().map(\.current))
    #expect(pairs.events == [.subscription(at: .zero), .finished(at: .zero)])
  }

  @Test func `A value that is nil counts`() throws {
    let world = try World.current
    let pairs = world.record(
      [1, nil, 3].publisher.pairwise().map { [$0.previous, $0.current] })
    #expect(pairs.values == [[1, nil], [nil, 3]])
  }

  @Test func `A request for a pair is a request for two values`() throws {
    let world = try World.current
    let source = world.cold("123|", digits)
    let pairs = world.record(source.pairwise().map { $0.previous }, demand: .max(1))
    world.run()
    #expect(pairs.next() == .value(1, at: .milliseconds(1)))
    pairs.expectNoMoreEvents()
    pairs.cancel()
  }
}
