import Testing

@testable import Timeline

struct LaneRowsTests {
  private func lives(_ run: HandMadeRun) -> LaneRows { LaneRows(run.part()) }

  @Test func livesOneAfterTheOtherShareARow() {
    var run = HandMadeRun()
    run.add(0, "task", .subscription, life: 1)
    run.add(1, "task", .failure("lost"), life: 1)
    run.add(1, "task", .subscription, life: 2)
    run.add(2, "task", .finished, life: 2)
    let lives = lives(run)
    #expect(lives.rows.map(\.name) == ["task"])
    #expect(
      lives.lines == [
        LaneRows.Line(row: 0, start: 0, end: 1), LaneRows.Line(row: 0, start: 2, end: 3),
      ])
  }

  @Test func livesAtTheSameTimeGetARowEachWithANumber() {
    var run = HandMadeRun()
    run.add(0, "load", .subscription, life: 1)
    run.add(0, "load", .subscription, life: 2)
    run.add(1, "load", .finished, life: 1)
    // The third starts after the first one's end, in the same row.
    run.add(2, "load", .subscription, life: 3)
    run.add(3, "load", .value("a"), life: 2)
    let lives = lives(run)
    #expect(lives.rows.map(\.name) == ["load 1", "load 2"])
    #expect(lives.rowOfEvent == [0, 1, 0, 0, 1])
    #expect(
      lives.lines == [
        LaneRows.Line(row: 0, start: 0, end: 2), LaneRows.Line(row: 1, start: 1, end: nil),
        LaneRows.Line(row: 0, start: 3, end: nil),
      ])
  }

  /// Two loads with a request and a subscriber each, which nothing connects.
  @Test func rowsThatAreConnectedStandTogether() {
    let rows = LaneRows(loadTwiceRun.parts[0]).rows.map(\.name)
    #expect(rows == ["request 1", "load 1", "user", "request 2", "load 2", "status"])
    var shared = HandMadeRun(events: loadTwiceRun.events)
    let value = shared.events.last { $0.lane == "load" && $0.kind == .value("41 bytes") }
    shared.add(130, "user", .value("both"), cause: value?.number, life: 1)
    #expect(
      LaneRows(shared.part()).rows.map(\.name)
        == ["request 1", "request 2", "load 1", "load 2", "user", "status"])
  }

  @Test func aLifeThatIsNeverEndedKeepsItsRow() {
    var run = HandMadeRun()
    run.add(0, "a", .subscription, life: 1)
    run.add(9, "a", .subscription, life: 2)
    #expect(lives(run).rows.map(\.name) == ["a 1", "a 2"])
  }

  @Test func eventsWithoutANumberAreOneLife() {
    var run = HandMadeRun()
    run.add(0, "a", .subscription)
    run.add(1, "a", .subscription)
    run.add(2, "a", .finished)
    run.add(3, "a", .cancelled)
    run.add(4, "a", .subscription)
    let lives = lives(run)
    #expect(lives.rows.map(\.name) == ["a"])
    #expect(
      lives.lines == [
        LaneRows.Line(row: 0, start: 0, end: 3), LaneRows.Line(row: 0, start: 4, end: nil),
      ])
  }

  @Test func aLaneWithDemandOnlyHasNoRow() {
    var run = HandMadeRun()
    run.add(0, "a", .request(.unlimited), life: 1)
    run.add(0, "b", .value("x"), life: 1)
    let lives = lives(run)
    #expect(lives.rows.map(\.name) == ["b"])
    #expect(lives.rowOfEvent == [nil, 0])
  }
}
