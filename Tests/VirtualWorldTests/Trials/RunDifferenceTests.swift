import Streams
import StreamsTesting
import Testing
import VirtualWorld

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
    let lines = difference.message("take 2").split(separator: "\n").map(String.init)
    #expect(lines[0] == "event 6 differs in a second run: take 2")
    #expect(lines[1] == "  first   0 doubled: value 4")
    #expect(lines[2] == "  second  0 doubled: value 6")
    #expect(lines.count > 3)
  }

  @Test func aRunThatGoesOnDiffers() throws {
    let difference = try #require(RunDifference(record([1]), record([1, 2])))
    #expect(difference.message("").contains("second  0 doubled: value 4"))
  }
}
