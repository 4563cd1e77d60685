import Testing

@testable import ScenarioServer

@Suite struct RunTurnsTests {
  @Test func countsEachRunAndPathOnItsOwn() {
    var turns = RunTurns(limit: 2)
    let counted = [("a", "/x"), ("a", "/x"), ("b", "/x"), ("a", "/y"), ("a", "/x"), ("b", "/x")]
      .map { turns.next(run: $0.0, path: $0.1) }
    #expect(counted == [0, 1, 0, 0, 2, 1])
  }

  /// A new run pushes out only the run that began first.
  @Test func forgetsTheOldestRunFirst() {
    var turns = RunTurns(limit: 3)
    for run in ["a", "b", "c", "c"] { _ = turns.next(run: run, path: "/") }
    #expect(turns.next(run: "d", path: "/") == 0)
    #expect(["b", "c", "d"].map { turns.next(run: $0, path: "/") } == [1, 2, 1])
    #expect(turns.next(run: "a", path: "/") == 0)
    #expect(["c", "d", "a"].map { turns.next(run: $0, path: "/") } == [3, 2, 1])
    #expect(turns.next(run: "b", path: "/") == 0)
  }
}
