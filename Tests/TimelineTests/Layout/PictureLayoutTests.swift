import Testing
import VirtualTime

@testable import Timeline

struct PictureLayoutTests {
  private func layout(_ run: Timeline.Recording, width: Int = 720) -> PictureLayout {
    Picture(run, part: 0, width: width).parts[0].layout
  }

  @Test func timeIsToScaleWithinLimits() {
    let scale = TimeScale([0, 100, 150, 350, 351, 800, 10_000].map { .milliseconds($0) })
    // The median of 100, 50, 200, 1, 449 and 9200 is 100, which takes 46 pixels.
    #expect(scale.distance(before: 0).width == 0)
    #expect(scale.distance(before: 1).width == 46)
    #expect(scale.distance(before: 2).width == 32)
    #expect(scale.distance(before: 3).width == 92)
    #expect(scale.distance(before: 4).width == 32)
    #expect(
      (0...6).map { scale.distance(before: $0).isCut } == [0, 0, 0, 0, 0, 1, 1].map { $0 == 1 })
  }

  @Test func bandsStandApartByTheTimeBetweenThem() {
    let block = layout(
      recording((0, "a", .finished), (100, "b", .finished), (300, "c", .finished))
    ).blocks[0]
    let gaps = zip(block.bands, block.bands.dropFirst()).map { $1.first - $0.last }
    #expect(gaps == [46, 92])
  }

  @Test func wordsRunToTheRightUpToTheNextMarkOfTheirRow() {
    let long = Timeline.Event.Kind.value("12345678")
    let apart = layout(recording((0, "a", long), (100, "b", long), (200, "c", long))).blocks[0]
    #expect(apart.x[1] - apart.x[0] == 46)
    let close = layout(recording((0, "a", long), (100, "a", long), (200, "a", long)))
    let sign = close.signs[0]
    #expect(close.blocks[0].x[1] - close.blocks[0].x[0] == sign.right + 5 + sign.left)
  }

  @Test func printedLinesTakeNoTime() {
    let line = Timeline.Event.Kind.printed("a line of more than twenty characters")
    let block = layout(
      recording((0, .console, line), (100, .console, line), (200, .console, line))
    ).blocks[0]
    #expect(block.x[1] - block.x[0] == 46)
    #expect(block.printed.count == 3)
    #expect(block.width >= block.x[2] + PrintedLines.width(ofLineWith: 37))
  }

  @Test func aPrintedLineBelowOthersHasNoArrow() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    let line = run.add(0, .console, .printed("a line that goes on for long"), cause: first)
    let second = run.add(5, "a", .value("2"))
    let below = run.add(5, .console, .printed("two"), cause: second)
    let layout = layout(run.recording())
    #expect([line, below].map { layout.arrows(to: $0 - 1).count } == [1, 0])
    #expect(layout.diagram.arrows.count == 2)
  }

  /// The third value's words need more room than its time.
  @Test func theAxisShowsWhereItIsNotToScale() {
    let long = Timeline.Event.Kind.value("twelve signs")
    let run = layout(
      recording(
        (0, "a", .finished), (100, "b", .finished), (200, "c", long), (210, "c", .finished),
        (310, "d", .finished)))
    let bands = run.blocks[0].bands
    let isToScale = zip(bands, bands.dropFirst()).map {
      run.scale.isToScale($0, $1, run.diagram.instants)
    }
    #expect(isToScale == [true, true, false, true])
  }

  @Test func rowsAreAsHighAsTheirWords() {
    let heights = { (text: String) in
      self.layout(recording((0, "a", .value(text)), (1, "b", .value("1")))).blocks[0].height
    }
    #expect(heights("18 degrees, 1 m/s") == heights("18") + 14)
  }

  @Test func threadsAreShownIfThereAreSeveral() {
    var run = HandMadeRun()
    run.add(0, "a", .value("1"), thread: "background")
    run.add(0, "b", .value("1"), thread: "main")
    run.add(5, "a", .value("2"), thread: "main")
    let two = layout(run.recording())
    #expect(two.threads == ["background", "main"])
    #expect(two.blocks[0].threads.map(\.name) == ["background", "main"])
    #expect(two.blocks[0].threads[0].right < two.blocks[0].threads[1].left)
    let one = layout(HandMadeRun(events: Array(run.events.suffix(2))).recording())
    #expect(one.threads == [])
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
    let rows = layout.blocks.map { $0.rows.map { layout.diagram.rows[$0].name } }
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
