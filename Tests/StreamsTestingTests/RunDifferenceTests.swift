import Streams
import Testing

@testable import StreamsTesting

struct RunDifferenceTests {
  /// The record of a run with these values.
  private func record(_ values: [Int]) -> Timeline.Recording {
    withWorld { world in
      let numbers = world.record(
        values.publisher.map { $0 * 2 }.lane("doubled").delay(for: 1, scheduler: world.clock),
        as: "numbers")
      world.run()
      _ = numbers.values
      return world.timeline.recording
    }
  }

  @Test func equalRunsDoNotDiffer() {
    #expect(RunDifference(record([1, 2]), record([1, 2])) == nil)
  }

  @Test func theFirstEventThatDiffersIsNamedWithItsCauses() throws {
    let difference = try #require(RunDifference(record([1, 2]), record([1, 3])))
    let lines = difference.description.split(separator: "\n").map(String.init)
    #expect(
      lines[0]
        == "this test depends on something outside the world: event 6 differs in a second run")
    #expect(lines[1] == "  first   0 doubled: value 4")
    #expect(lines[2] == "  second  0 doubled: value 6")
    #expect(lines.count > 3)
  }

  @Test func aRunThatGoesOnDiffers() throws {
    let difference = try #require(RunDifference(record([1]), record([1, 2])))
    #expect(difference.description.contains("second  0 doubled: value 4"))
  }
}

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
