import Testing

@testable import ScenarioKit

struct ExplorationTests {
  /// A part that depends on something outside its world can't be explored, and the first event that
  /// differs says why.
  @Test func aPartThatIsNotTheSameTwiceIsAProblem() {
    var runCount = 0
    let exploration = Exploration(.init()) { _ in
      runCount += 1
      let lines = ["same", "run \(runCount)"].enumerated().map { index, line in
        Timeline.Event(
          number: index + 1, time: .milliseconds(10), place: 0,
          lane: .init("output", role: .console), kind: .printed(line))
      }
      return World.Outcome(
        recording: .init(title: "Lines", events: lines), problems: [], isFinal: false)
    }
    #expect(runCount == 2)
    #expect(
      exploration.lines(command: "") == [
        "the part couldn't be explored: two runs in the same order differ"
      ])
    #expect(
      exploration.problem == """
        Lines: event 2 differs in a second run: make the part independent of what's outside its \
        world, such as a variable of an earlier run, and send work to the main queue either with \
        async or with a scheduler
          first   10ms output: run 1
          second  10ms output: run 2
          Event 2 of “Lines”: output prints: run 1
          2  10ms  output prints: run 1
        """)
  }
}
