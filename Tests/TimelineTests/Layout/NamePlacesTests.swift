import Testing

@testable import Timeline

struct NamePlacesTests {
  private static let long = Timeline.Lane.operator("a name of many characters")

  private func layout(_ run: HandMadeRun, width: Int = 360) -> PictureLayout {
    Picture(run.recording(), part: 0, width: width).parts[0].layout
  }

  /// A run whose names stand above their lanes, with values that go down from the first lane.
  private func run(first: Timeline.Lane = "a", _ arrows: Int, from start: Int = 0) -> HandMadeRun {
    var run = HandMadeRun()
    run.add(0, Self.long, .subscription)
    run.add(0, "top", .subscription)
    run.add(0, first, .subscription)
    for time in start..<start + 12 {
      let value = run.add(time * 10, "top", .value("1234"))
      if time < start + arrows { run.add(time * 10, first, .value("1234"), cause: value) }
    }
    return run
  }

  private func row(_ name: String, _ layout: PictureLayout) throws -> Int {
    try #require(layout.diagram.rows.firstIndex { $0.name == name })
  }

  @Test func aNameStandsAtTheLeftIfNoArrowGoesThroughIt() throws {
    let layout = layout(run(0))
    #expect(layout.metrics.hasLabelsAbove)
    #expect(layout.place(ofName: try row("a", layout), inBlock: 0) == 0)
  }

  @Test func aNameMovesToTheRightOfAnArrow() throws {
    var run = HandMadeRun()
    run.add(0, Self.long, .subscription)
    let value = run.add(0, "top", .value("1"))
    run.add(0, "name", .value("1"), cause: value)
    for time in 1..<9 { run.add(time * 10, "top", .value("123456")) }
    let layout = layout(run)
    #expect(layout.metrics.hasLabelsAbove)
    let arrow = layout.blocks[0].x(ofColumn: layout.diagram.marks[2].column)
    #expect(layout.place(ofName: try row("name", layout), inBlock: 0) == arrow + 8)
  }

  @Test func aNameMovesAwayFromTheStartOfAnArrowThatTurnsUp() throws {
    var run = HandMadeRun()
    run.add(0, Self.long, .subscription)
    run.add(0, "top", .subscription)
    let value = run.add(0, "name", .value("1"))
    run.add(10, "top", .cancelled, cause: value)
    for time in 2..<9 { run.add(time * 10, Self.long, .value("123456")) }
    // So "name" stands below "top".
    let last = run.add(100, "top", .value("2"))
    run.add(100, "name", .value("2"), cause: last)
    let layout = layout(run)
    #expect(layout.metrics.hasLabelsAbove)
    let (top, name) = (try row("top", layout), try row("name", layout))
    #expect(top < name)
    let start = layout.blocks[0].x(ofColumn: layout.diagram.marks[value - 1].column)
    #expect(layout.place(ofName: name, inBlock: 0) == start + 8)
  }

  @Test(arguments: [1, 3, 9])
  func aNameWithoutAGapGetsOneAtTheLeft(arrows: Int) throws {
    let lane = Timeline.Lane.operator("twelve chars")
    let layout = layout(run(first: lane, arrows))
    #expect(layout.metrics.hasLabelsAbove)
    let row = try row("twelve chars", layout)
    for (index, block) in layout.blocks.enumerated() where block.rows.contains(row) {
      let place = try #require(layout.place(ofName: row, inBlock: index))
      let end = place + Pixels.monospaced(12, size: 12)
      for arrow in layout.diagram.arrows {
        let column = layout.diagram.marks[arrow.effect].column
        guard block.columns.contains(column) else { continue }
        let x = block.x(ofColumn: column)
        #expect(x + 8 <= place || end + 8 <= x)
      }
    }
  }

  @Test func aNameThatIsTooLongForAGapStandsAtTheLeft() throws {
    let name = String(repeating: "n", count: 45)
    let layout = layout(run(first: .operator(name), 12))
    let row = try row(name, layout)
    #expect(layout.blocks.indices.allSatisfy { layout.place(ofName: row, inBlock: $0) ?? 0 == 0 })
    #expect(layout.blocks[0].x(ofColumn: 1) < Pixels.monospaced(45, size: 12))
  }

  @Test func namesToTheLeftOfTheLanesHaveNoPlace() {
    let layout = layout(run(3), width: 2_000)
    #expect(!layout.metrics.hasLabelsAbove)
    #expect(layout.place(ofName: 0, inBlock: 0) == nil)
  }
}
