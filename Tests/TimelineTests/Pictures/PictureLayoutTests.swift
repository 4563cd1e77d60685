import Testing
import VirtualTime

@testable import Timeline
@testable import TimelinePictures

struct PictureLayoutTests {
  private func layout(_ run: Timeline.Recording, width: Int = 720) -> PictureLayout {
    Picture(run, part: 0, width: width).parts[0].layout
  }

  @Test func aPrintedLineBelowOthersHasNoArrow() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    let line = run.add(0, .console, .printed("a line that goes on for long"), cause: first)
    let second = run.add(5, "a", .value("2"))
    let below = run.add(5, .console, .printed("two"), cause: second)
    let layout = layout(run.recording())
    #expect([line, below].map { layout.arrows[$0 - 1, default: []].count } == [1, 0])
    #expect(layout.diagram.arrows.count == 2)
  }

  /// The third value's words need more room than its time.
  @Test func theAxisShowsWhereItIsNotToScale() {
    let long = Timeline.Event.Kind.value("twelve signs")
    let run = layout(
      recording(
        (0, "a", .finished), (100, "b", .finished), (200, "c", long), (210, "c", .finished),
        (310, "d", .finished)))
    let isToScale = run.blocks[0].stretches.map(run.scale.isToScale)
    #expect(isToScale == [true, true, false, true])
  }

  @Test func threadsAreShownIfThereAreSeveral() {
    var run = HandMadeRun()
    run.add(0, "a", .value("1"), thread: "background")
    run.add(0, "b", .value("1"), thread: "main")
    run.add(5, "a", .value("2"), thread: "main")
    let two = layout(run.recording())
    #expect(two.blocks[0].threads.map(\.name) == ["background", "main"])
    #expect(two.blocks[0].threads[0].right < two.blocks[0].threads[1].left)
    let one = layout(HandMadeRun(events: Array(run.events.suffix(2))).recording())
    #expect(one.blocks[0].threads.isEmpty)
    #expect(one.headHeight < two.headHeight)
  }

  @Test func aNarrowPictureContinuesInBlocksOfWholeInstants() {
    let run = recording((0..<20).map { ($0 / 2 * 100, "a", .value("\($0)")) })
    let wide = layout(run, width: 2000)
    #expect(wide.blocks.map(\.columns) == [0..<20])
    let narrow = layout(run, width: 320)
    #expect(narrow.blocks.count > 1)
    #expect(narrow.blocks.flatMap { Array($0.columns) } == Array(0..<20))
    #expect(narrow.blocks.allSatisfy { $0.columns.lowerBound.isMultiple(of: 2) })
    #expect(narrow.blocks.allSatisfy { $0.width <= narrow.metrics.columnsWidth })
    // The blocks are about as wide as each other.
    let widths = narrow.blocks.map(\.width.halves)
    #expect((widths.max() ?? 0) < 2 * (widths.min() ?? 0))
  }

  @Test func anInstantThatIsTooWideIsSplit() {
    let run = recording((0..<40).map { (0, "a", .value("\($0)")) })
    let blocks = layout(run, width: 300).blocks
    #expect(blocks.count > 3)
    #expect(blocks.allSatisfy { $0.width <= 300 })
    #expect(blocks.flatMap { Array($0.columns) } == Array(0..<40))
  }

  /// The lane `c` goes on in the last block, but nothing happens in it there.
  @Test func aBlockHasTheRowsWithSomethingInIt() {
    var events: [(Int, Timeline.Lane, Timeline.Event.Kind)] = [(0, "a", .subscription)]
    events += (0..<8).map { ($0 * 100, "b", .value("1234567\($0)")) }
    events += [(900, "c", .subscription), (950, "a", .value("12345678"))]
    let layout = layout(recording(events), width: 130)
    let rows = layout.blocks.map { $0.rows.map { layout.diagram.lanes.rows[$0].name } }
    #expect(rows.first == ["a", "b"])
    #expect(rows.dropLast().last?.last == "c")
    #expect(rows.last == ["a"])
  }

  @Test func namesStandAboveTheirLanesOnAPhoneAndIfTheyAreLong() {
    let short = recording((0, "a", .value("1")), (1, "a", .value("2")))
    #expect(!layout(short).metrics.hasLabelsAbove)
    #expect(layout(short, width: 360).metrics.hasLabelsAbove)
    let name = String(repeating: "n", count: 45)
    let long = recording((0, .operator(name), .value("1")), (1, .operator(name), .value("2")))
    #expect(layout(long).metrics.hasLabelsAbove)
    #expect(layout(long, width: 360).width >= Pixels.monospaced(45, size: 12))
  }

  @Test(arguments: [
    (Pixels(12), "12"), (12.5, "12.5"), (-0.5, "-0.5"), (0, "0"), (-3, "-3"),
  ])
  func lengthsAreWrittenInHalves(length: Pixels, text: String) {
    #expect(length.description == text)
  }

  @Test(arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("🧑‍🚀", 2), ("", 0)])
  func ideographsAndEmojiTakeTwoCells(text: String, cells: Int) {
    #expect(text.cells == cells)
  }
}
