import Testing
import VirtualTime

@testable import Timeline
@testable import TimelinePictures

/// The times that operators let pass are bars.
struct WaitBarTests {
  private func layout(_ run: HandMadeRun, width: Int = 720) -> PictureLayout {
    Picture(run.recording(), part: 0, width: width).parts[0].layouts[0]
  }

  /// The bars, such as `debounce 0–100 stopped` (from one instant to another, in milliseconds), and
  /// where an arrow to it starts.
  private func bars(_ layout: PictureLayout) -> [String] {
    layout.bars.map { bar in
      func time(_ column: Int) -> String {
        TimeUnit.milliseconds.number(of: layout.diagram.instants[column])
      }
      let name = layout.diagram.lanes.rows[bar.row].name
      let arrow = bar.cause.map { " from \(layout.diagram.marks[$0].event.kind)" } ?? ""
      let end = bar.isOver ? "over" : "stopped"
      return "\(name) \(time(bar.start))–\(time(bar.end)) \(end)\(arrow)"
    }
  }

  /// The value that's kept has a bar of its own, from the moment at which it arrives.
  @Test func aTimerThatIsStoppedHasABar() {
    var run = HandMadeRun()
    run.subscribe(0, ["typed", "debounce"])
    let first = run.add(50, "typed", .value("s"), life: 1)
    let last = run.add(100, "typed", .value("sw"), life: 1)
    run.add(400, "debounce", .value("sw"), cause: last, from: [last], life: 1)
    run.wait(50, 100, "debounce", .stopped, cause: first, life: 1)
    run.wait(100, 400, "debounce", cause: last, life: 1)
    let layout = layout(run)
    #expect(bars(layout) == ["debounce 50–100 stopped from value s"])
    #expect(layout.arrows.values.joined().map(\.end) == [.waiting])
  }

  /// The interval of `throttle` begins before the value arrives that it delivers.
  @Test func aWaitShowsUntilItsValueArrives() {
    var run = HandMadeRun()
    run.subscribe(0, ["sent", "throttle"])
    let first = run.add(100, "sent", .value("1"), life: 1)
    run.add(100, "throttle", .value("1"), cause: first, from: [first], life: 1)
    let second = run.add(200, "sent", .value("2"), life: 1)
    let third = run.add(300, "sent", .value("3"), life: 1)
    run.add(400, "throttle", .value("3"), cause: second, from: [third], life: 1)
    run.wait(100, 400, "throttle", cause: second, life: 1)
    let layout = layout(run)
    #expect(bars(layout) == ["throttle 100–300 over from value 2"])
    // The bar says that the second value has started the timer, so no other arrow does.
    #expect(layout.diagram.arrows.map(\.isMade) == [true, true])
    // The clock stands where the value's own bar ends.
    #expect(
      layout.arrows.values.joined().filter { $0.end == .waiting }.map(\.arrow.hasTimer) == [true])
    #expect(layout.bars.map(\.hasClock) == [false])
  }

  @Test func aTimerThatRunsOutHasABarInPlaceOfAnArrow() {
    var run = HandMadeRun()
    run.subscribe(0, ["pulse", "timeout"])
    let value = run.add(100, "pulse", .value("7"), life: 1)
    let passed = run.add(100, "timeout", .value("7"), cause: value, from: [value], life: 1)
    // What the timer does in other lanes needs no arrow either.
    run.add(600, "pulse", .cancelled, cause: passed, life: 1)
    run.add(600, "timeout", .failure("late"), cause: value, life: 1)
    run.wait(0, 100, "timeout", .stopped, cause: 2, life: 1)
    run.wait(100, 600, "timeout", cause: value, life: 1)
    let layout = layout(run)
    #expect(bars(layout) == ["timeout 0–100 stopped", "timeout 100–600 over"])
    #expect(layout.diagram.arrows.count == 1)
    let key = PictureReader(run.recording().svg()).key
    #expect(Set(key).isSuperset(of: ["waits", "timer", "stopped"]))
  }

  /// Of two at the same time, the first one has a bar, and the second one has an arrow.
  @Test func barsOfARowDoNotOverlap() {
    var run = HandMadeRun()
    run.subscribe(0, ["shown", "delay"])
    let first = run.add(100, "shown", .value("a"), life: 1)
    let second = run.add(200, "shown", .value("b"), life: 1)
    run.add(400, "delay", .value("a"), cause: first, from: [first], life: 1)
    run.add(500, "delay", .value("b"), cause: second, from: [second], life: 1)
    run.wait(100, 400, "delay", cause: first, life: 1)
    run.wait(200, 500, "delay", cause: second, life: 1)
    let layout = layout(run)
    #expect(layout.diagram.bars.map(\.columns) == [1..<3])
    #expect(bars(layout) == [])
    #expect(layout.arrows.values.joined().map(\.end).count == 2)
  }

  @Test func somethingThatHappensMeanwhileLeavesNoBar() {
    var run = HandMadeRun()
    run.add(0, "out", .subscription, life: 1)
    run.add(100, "out", .value("a"), life: 1)
    run.add(300, "out", .value("b"), life: 1)
    run.wait(0, 300, "out", life: 1)
    #expect(bars(layout(run)) == [])
  }

  /// A timer may go on when its stream has been cancelled, but it counts no more.
  @Test func aBarEndsWithItsLife() {
    var run = HandMadeRun()
    run.add(0, "out", .subscription, life: 1)
    run.add(100, "out", .cancelled, life: 1)
    run.add(300, "other", .value("b"))
    run.wait(0, 300, "out", life: 1)
    run.wait(100, 300, "out", life: 1)
    #expect(bars(layout(run)) == ["out 0–100 stopped"])
  }

  @Test func waitsThatCannotBeDrawnHaveNoBar() {
    var run = HandMadeRun()
    run.add(0, "out", .subscription, life: 1)
    run.add(300, "other", .value("b"))
    run.wait(0, 200, "out", life: 1)
    run.wait(0, 300, "out", .pending, life: 1)
    run.wait(0, 300, "nowhere", life: 1)
    run.wait(0, 300, "out", life: 2)
    #expect(bars(layout(run)) == [])
  }

  /// The lane has no mark in the blocks in the middle.
  @Test func aBarGoesThroughAllBlocks() {
    var run = HandMadeRun()
    run.add(0, "out", .subscription, life: 1)
    for time in 1...3 { run.add(100 * time, "c", .value("1234567\(time)")) }
    run.add(400, "out", .failure("late"), life: 1)
    run.wait(0, 400, "out", life: 1)
    let layout = layout(run, width: 160)
    #expect(layout.blocks.count > 2)
    #expect(layout.blocks.allSatisfy { $0.rows.contains(0) })
    let embedding = Timeline.PictureEmbedding(idPrefix: "", classPrefix: "")
    let picture = PictureReader(run.recording().svg(width: 160, embedding: embedding))
    let pieces = picture.elements.filter { !$0.isKey && $0.classes.first == "W" }
    #expect(pieces.count == layout.blocks.count)
    // The player fades it until it starts.
    #expect(Set(pieces.map { $0.attributes["data-from"] }) == ["1"])
  }

  /// The last block has only the end of the bar.
  @Test func aBarReachesIntoTheBlockWhereItEnds() {
    var run = HandMadeRun()
    run.add(0, "out", .subscription, life: 1)
    for time in 1...3 { run.add(100 * time, "c", .value("1234567\(time)")) }
    run.add(400, "c", .value("12345678"))
    run.wait(0, 400, "out", life: 1)
    let layout = layout(run, width: 160)
    let picture = PictureReader(run.recording().svg(width: 160))
    let pieces = picture.elements.filter { !$0.isKey && $0.classes.first == "W" }
    #expect(layout.blocks.last?.columns.lowerBound == layout.bars[0].end)
    #expect(pieces.count == layout.blocks.count)
  }

  @Test(arguments: 0..<60)
  func barsOfAnyRecordingKeepTheirRules(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    let run = random.nextUnruly()
    for (index, part) in run.parts.enumerated() {
      let layout = Picture(run, part: index, width: 360).parts[0].layouts[0]
      let marks: [Diagram.Mark] = layout.diagram.marks.filter(\.stands)
      #expect(layout.bars.count <= part.waits.count)
      for (position, bar) in layout.bars.enumerated() {
        #expect(bar.start < bar.end && bar.end < layout.diagram.instants.count)
        let between = marks.filter { $0.row == bar.row && $0.column > bar.start }
        #expect(between.allSatisfy { $0.column >= bar.end })
        let others = layout.bars[(position + 1)...].filter { $0.row == bar.row }
        #expect(!others.contains { $0.columns.overlaps(bar.columns) })
      }
    }
  }
}
