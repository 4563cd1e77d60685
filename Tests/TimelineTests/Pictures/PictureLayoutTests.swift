import Testing
import VirtualTime

@testable import Timeline
@testable import TimelinePictures

struct PictureLayoutTests {
  private func layout(_ run: Timeline.Recording, width: Int = 720) -> PictureLayout {
    Picture(run, part: 0, width: width).parts[0].layouts[0]
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
    let isToScale = run.blocks[0].stretches.map {
      run.scale.isToScale(after: $0, in: run.blocks[0])
    }
    #expect(isToScale == [true, true, false, true])
  }

  @Test func threadsAreShownIfThereAreSeveral() {
    var run = HandMadeRun()
    run.add(0, "a", .value("1"), thread: "background")
    run.add(0, "b", .value("1"), thread: "main")
    run.add(5, "a", .value("2"), thread: "main")
    let two = layout(run.recording())
    #expect(two.diagram.threads == ["background", "main"])
    let x = two.blocks[0].x
    #expect(two.blocks[0].threads == [[x[0]], [x[0], x[1]]])
    let one = layout(HandMadeRun(events: Array(run.events.suffix(2))).recording())
    #expect(one.diagram.threads.isEmpty)
    #expect(one.headHeight < two.headHeight)
  }

  @Test func aNarrowPictureContinuesInBlocks() {
    let run = recording((0..<20).map { ($0 * 100, "a", .value("\($0)")) })
    let wide = layout(run, width: 2000)
    #expect(wide.blocks.map(\.columns) == [0..<20])
    let narrow = layout(run, width: 320)
    #expect(narrow.blocks.count > 1)
    #expect(narrow.blocks.flatMap { Array($0.columns) } == Array(0..<20))
    #expect(narrow.blocks.allSatisfy { $0.width <= narrow.metrics.columnsWidth })
    // The blocks are about as wide as each other.
    let widths = narrow.blocks.map(\.width.halves)
    #expect((widths.max() ?? 0) < 2 * (widths.min() ?? 0))
  }

  /// Two requests that take equally long are equally long, whatever else happens at their ends.
  @Test func equalTimesAreEquallyLong() {
    for (run, width) in [(fallbackRun, 720), (fallbackRun, 360)] {
      let layout = layout(run, width: width)
      let x = layout.blocks.flatMap(\.x)
      #expect(layout.diagram.instants.prefix(3) == [.zero, .milliseconds(60), .milliseconds(120)])
      #expect(x[1] - x[0] == x[2] - x[1])
    }
  }

  @Test func timeIsStretchedOnlyAsFarAsThatTakesNoMoreBlocks() {
    let run = recording(
      (0, "a", .value("as long as sixty")), (10, "a", .value("b")), (20, "a", .value("c")),
      (30, "a", .value("d")))
    for (width, isToScale) in [(720, true), (420, false)] {
      let layout = layout(run, width: width)
      #expect(layout.blocks.count == 1)
      #expect(layout.scale.isToScale(after: 0, in: layout.blocks[0]) == isToScale)
    }
  }

  /// Three programs, one after the other. The last two are connected.
  @Test func aWidePartIsDividedWhereNothingGoesOn() {
    var run = HandMadeRun()
    var last: Int?
    for (index, lane) in ["a", "b", "c"].enumerated() {
      let start = run.add(
        index * 1000, .operator(lane), .subscription, cause: index == 2 ? last : nil, life: 1)
      last = run.add(index * 1000 + 100, .operator(lane), .value("12345678"), life: 1)
      run.add(index * 1000 + 200, .operator(lane), .finished, cause: start, life: 1)
      run.add(index * 1000 + 900, .console, .printed("done"))
    }
    func pieces(width: Int) -> [[String]] {
      Picture(run.recording(), part: 0, width: width).parts[0].layouts.map {
        $0.diagram.lanes.rows.map(\.name)
      }
    }
    #expect(pieces(width: 2000) == [["a", "b", "c", "console"]])
    #expect(pieces(width: 360) == [["a", "console"], ["b", "c", "console"]])
    // Each block has a number of its own.
    let embedding = Timeline.PictureEmbedding(idPrefix: "", classPrefix: "")
    let picture = PictureReader(run.recording().svg(style: .narrow, embedding: embedding))
    let numbers = picture.elements.filter { $0.attributes["data-left"] != nil }
      .compactMap { $0.attributes["data-block"] }
    #expect(numbers.count > 1 && numbers == numbers.indices.map(String.init))
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

  /// The value of `b` waits while the first block ends, and `b` has no mark there.
  @Test func aBlockHasTheRowsInWhichAValueWaits() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("12345678"))
    for time in 1...3 { run.add(100 * time, "c", .value("1234567\(time)")) }
    run.add(400, "b", .value("12345678"), cause: value, from: [value])
    let layout = layout(run.recording(), width: 160)
    let rows = layout.blocks.map { $0.rows.map { layout.diagram.lanes.rows[$0].name } }
    #expect(rows.count > 2)
    #expect(rows.allSatisfy { $0.contains("b") })
    // Each block has its piece of the bar.
    let picture = PictureReader(run.recording().svg(width: 160))
    #expect(picture.elements.count { $0.classes.first == "W" && !$0.isKey } == rows.count)
  }

  /// All demand is unlimited, so it isn't drawn.
  @Test func aRequestRisesFromItsTaskAlsoIfItsDemandIsHidden() {
    let diagram = layout(fallbackRun).diagram
    let arrows = diagram.arrows.map { arrow in
      [arrow.cause, arrow.effect].map {
        "\(diagram.marks[$0].event.lane.name): \(diagram.marks[$0].event.kind)"
      }
    }
    #expect(arrows.first?.first == "data task: subscribed")
    #expect(arrows.first?.last?.hasPrefix("request 1: ") ?? false)
  }

  /// The second life of `task` begins at the instant at which the first one fails.
  @Test func aLifeStaysAtTheHeightOfItsStart() {
    let layout = layout(fallbackRun)
    let marks = layout.diagram.marks
    let drops = marks.indices.filter { marks[$0].stands && marks[$0].event.lane == "data task" }
      .map { layout.drop(ofMark: $0) }
    #expect(drops.count == 4)
    #expect(drops[0] == 0 && drops[1] == 0)
    #expect(drops[2] > 0 && drops[3] == drops[2])
  }

  @Test func anEndStandsBelowWordsThatAreStillThere() {
    func layout(_ text: String, end: Int) -> PictureLayout {
      var run = HandMadeRun()
      run.subscribe(0, ["a"])
      run.add(1, "a", .value(text), life: 1)
      run.add(end, "a", .finished, life: 1)
      return self.layout(run.recording())
    }
    let short = layout("x", end: 3)
    let long = layout("sixteen letters.", end: 3)
    // Its instant doesn't move, so time stays to scale.
    #expect(short.blocks[0].x == long.blocks[0].x)
    #expect(
      long.blocks[0].stretches.allSatisfy { long.scale.isToScale(after: $0, in: long.blocks[0]) })
    #expect(short.drop(ofMark: 3) == 0)
    #expect(long.drop(ofMark: 3) > long.signs[2].below)
    // At the same instant, it's a part of the value's mark.
    let together = layout("sixteen letters.", end: 1)
    #expect(together.signs[3] == .foot)
  }

  /// Older spines and arrows next to marks belong to the instant.
  @Test func anInstantIsABandOnlyWhereItNeedsRoom() {
    var run = HandMadeRun()
    run.subscribe(0, ["left", "zip"])
    let left = run.add(1, "left", .value("1"), life: 1)
    let right = run.add(5, "right", .value("a"))
    run.add(5, "zip", .value("1a"), cause: right, from: [left, right], life: 1)
    let layout = layout(run.recording())
    let bands = layout.diagram.instants.indices.map { layout.band(ofColumn: $0) }
    #expect(bands.prefix(2) == [0, 0] && bands[2] > 8)
  }

  /// Both are subscribed to and end at 0, one after the other.
  @Test func rowsThatHaveNothingToDoWithEachOtherShareNoLevels() {
    let run = recording(
      (0, "a", .subscription), (0, "a", .value("1")), (0, "b", .subscription),
      (0, "b", .value("2")))
    #expect(layout(run).diagram.marks.map(\.level) == [0, 1, 0, 1])
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

  /// A sequence sends all of them in one call, so they have one cause.
  @Test func aValueStandsBehindWhatTheOneBeforeItLedTo() {
    var run = HandMadeRun()
    let demand = run.subscribe(0, ["texts", "flatMap"])
    for (index, text) in ["5", "6", "7", "8"].enumerated() {
      let value = run.add(0, "texts", .value(text), cause: demand, life: 1)
      let asked = run.subscribe(0, ["one text"], cause: value, life: index + 1)
      let inner = run.add(
        0, "one text", .value(text), cause: asked, from: [value], life: index + 1)
      run.add(0, "flatMap", .value(text), cause: inner, from: [inner], life: 1)
      run.add(0, "one text", .finished, cause: asked, life: index + 1)
    }
    let marks = layout(run.recording()).diagram.marks
    let columns = ["texts", "flatMap"].map { lane in
      marks.filter { $0.event.lane.name == lane && $0.event.kind.isValue }.map(\.column)
    }
    for (value, result) in zip(columns[0], columns[1]) { #expect(value < result) }
    for (result, next) in zip(columns[1], columns[0].dropFirst()) { #expect(result < next) }
  }
}

extension Timeline.Event.Kind {
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }
}
