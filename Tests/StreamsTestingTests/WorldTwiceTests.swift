import Streams
import StreamsTesting
import Testing

/// `.world(runsTwice: true)` runs the body in two worlds.
@Suite(.serialized) struct WorldTwiceTests {
  private static let runs = Locked<[ObjectIdentifier]>([])

  @Test(.world(runsTwice: true)) func first() throws {
    let world = try World.current
    Self.runs.withLock { $0.append(ObjectIdentifier(world.timeline)) }
    let ticks = world.record(Just(1), as: "ticks")
    world.run()
    #expect(ticks.values == [1])
  }

  @Test func second() {
    #if DEBUG
      // Two, or none if only this test runs.
      #expect(Self.runs.withLock { $0.count } != 1)
    #else
      #expect(Self.runs.withLock { $0.count } <= 1)
    #endif
  }
}
