import Testing

@testable import Timeline
@testable import TimelinePictures

/// The places where operators drop values.
struct DiscardTests {
  /// Each discard, as its value, row and level.
  private func discards(_ run: HandMadeRun) -> [String] {
    let diagram = Diagram(LaneRows(run.part()))
    return diagram.discards.map { discard in
      let row = diagram.lanes.rows[discard.row].name
      return "\(diagram.marks[discard.value].event.kind) in \(row)/\(discard.level)"
    }
  }

  @Test func aValueEndsInTheRowThatLetNothingOut() {
    var run = HandMadeRun()
    run.subscribe(0, ["in", "filter"])
    run.add(1, "in", .value("odd"), life: 1)
    let even = run.add(2, "in", .value("even"), life: 1)
    run.add(2, "filter", .value("even"), cause: even, from: [even], life: 1)
    #expect(discards(run) == ["value odd in filter/0"])
    let svg = run.recording().svg()
    let picture = PictureReader(svg)
    // The line from the value, and the two paths of the sign.
    #expect(picture.paths("Z").count == 3)
    #expect(picture.key.contains("a value ends here"))
  }

  @Test func anOperatorMaySubscribeWhenItIsAskedForValues() {
    var run = HandMadeRun()
    let start = run.add(0, "dropFirst", .subscription, life: 1)
    let demand = run.add(0, "dropFirst", .request(.unlimited), cause: start, life: 1)
    run.add(0, "in", .subscription, cause: demand, life: 1)
    run.add(1, "in", .value("1"), life: 1)
    let second = run.add(2, "in", .value("2"), life: 1)
    run.add(2, "dropFirst", .value("2"), cause: second, from: [second], life: 1)
    #expect(discards(run) == ["value 1 in dropFirst/0"])
  }

  /// The source is subscribed to because of demand further down, but `filter` gets its values.
  @Test func onlyTheLaneRightBelowDropsAValue() {
    var run = HandMadeRun()
    let last = run.add(0, "flatMap", .subscription, life: 1)
    let demand = run.add(0, "flatMap", .request(.unlimited), cause: last, life: 1)
    let source = run.add(0, "typed", .subscription, cause: demand, life: 1)
    run.add(0, "filter", .subscription, cause: source, life: 1)
    run.add(1, "typed", .value("s"), life: 1)
    let value = run.add(2, "typed", .value("sw"), life: 1)
    run.pass(2, .value("sw"), down: ["filter", "flatMap"], cause: value)
    #expect(discards(run) == ["value s in filter/0"])
  }

  /// The second value is the one that passes, and the stream ends after the third one.
  @Test func itEndsInTheColumnOfItsPush() {
    var run = HandMadeRun()
    run.subscribe(0, ["in", "filter"])
    for text in ["1", "2", "3"] {
      let value = run.add(5, "in", .value(text), life: 1)
      if text == "2" { run.add(5, "filter", .value("2"), cause: value, from: [value], life: 1) }
    }
    let end = run.add(5, "in", .finished, life: 1)
    run.add(5, "filter", .finished, cause: end, life: 1)
    #expect(discards(run) == ["value 1 in filter/0", "value 3 in filter/0"])
    let diagram = Diagram(LaneRows(run.part()))
    let filter = diagram.marks.filter { $0.stands && $0.event.lane.name == "filter" }
    // The subscription, the value and the end, which comes after what was dropped.
    #expect(filter.map(\.column) == [0, 2, 3])
    #expect(filter.map(\.level) == [0, 0, 1])
  }

  /// What it does at the push of the value stands below.
  @Test func anEndOfTheSamePushComesAfterTheValue() {
    var run = HandMadeRun()
    run.subscribe(0, ["in", "last"])
    run.add(5, "in", .value("1"), life: 1)
    let end = run.add(5, "in", .finished, life: 1)
    run.add(5, "last", .finished, cause: end, life: 1)
    #expect(discards(run) == ["value 1 in last/0"])
    #expect(Diagram(LaneRows(run.part())).marks.last?.level == 1)
  }

  /// When an operator that keeps values drops one isn't recorded.
  @Test func aValueThatIsKeptEndsNowhere() {
    var run = HandMadeRun()
    run.subscribe(0, ["typed", "debounce"])
    run.add(1, "typed", .value("s"), life: 1)
    let last = run.add(2, "typed", .value("sw"), life: 1)
    run.add(300, "debounce", .value("sw"), cause: last, from: [last], life: 1)
    #expect(discards(run) == [])
  }

  @Test func nothingIsDroppedByALaneThatHasEnded() {
    var run = HandMadeRun()
    run.subscribe(0, ["in", "first"])
    let value = run.add(1, "in", .value("1"), life: 1)
    run.add(1, "first", .value("1"), cause: value, from: [value], life: 1)
    run.add(1, "first", .finished, cause: value, life: 1)
    run.add(2, "in", .value("2"), life: 1)
    #expect(discards(run) == [])
  }
}
