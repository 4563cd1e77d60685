import Testing

@testable import Timeline
@testable import TimelinePictures

struct SVGArrowTests {
  private static let runs = [sampleRun, fallbackRun, searchRun, loadTwiceRun]
  private static let embedding = Timeline.PictureEmbedding(idPrefix: "", classPrefix: "")

  @Test(arguments: runs.indices, [720, 360, 200, 1])
  func everyArrowIsDrawn(run: Int, width: Int) {
    for part in Self.runs[run].parts.indices {
      expectAllArrows(of: Self.runs[run], part: part, width: width)
    }
  }

  @Test(arguments: 0..<60)
  func everyArrowOfAnyRecordingIsDrawn(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    for run in [random.next(), random.nextUnruly()] {
      for part in run.parts.indices {
        for width in [720, 360] { expectAllArrows(of: run, part: part, width: width) }
      }
    }
  }

  @Test func anArrowBetweenBlocksLeavesTheOneAndEntersTheOther() throws {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("12345678"))
    for time in 1...3 { run.add(time, "c", .value("1234567\(time)")) }
    let last = run.add(4, "b", .value("12345678"), cause: value)
    let recording = Timeline.Recording(parts: [run.part()])
    let picture = PictureReader(recording.svg(width: 160, embedding: Self.embedding))
    let block = try #require(picture.elements.first { $0.attributes["data-block"] == "0" })
    let paths = picture.arrows.filter { $0.event == "e\(last)" }.compactMap { $0.attributes["d"] }
    #expect(paths.count == 2)
    #expect(paths[0].hasSuffix("H\(block.attributes["data-right"] ?? "")"))
    #expect(paths[1].hasPrefix("M\(block.attributes["data-left"] ?? "") "))
  }

  @Test func arrowsOfTwoCausesAreDrawnApart() {
    var run = HandMadeRun()
    let first = run.add(0, "shown", .value("a"))
    let second = run.add(1, "shown", .value("b"))
    run.add(2, "delay", .value("a"), cause: first)
    run.add(3, "delay", .value("b"), cause: second)
    let picture = PictureReader(run.recording().svg(embedding: Self.embedding))
    let paths = picture.arrows.compactMap { $0.attributes["d"] }
    // Down to the corner, and the height of the corner.
    let turns = paths.map { path in
      let numbers = path.split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
      return numbers[2] + numbers[6]
    }
    // The one that starts first goes further down.
    #expect(paths.count == 2)
    #expect(turns[0] == turns[1] + 4)
  }

  /// An older value's spine stands to the left of the newest one, and its arrow leads there.
  @Test func eachArrowLeadsToItsSpine() throws {
    var run = HandMadeRun()
    run.subscribe(0, ["right"])
    let left = run.add(1, "left", .value("1"))
    let right = run.add(5, "right", .value("a"), life: 1)
    let pair = run.add(5, "zip", .value("1a"), cause: right, from: [left, right])
    let picture = PictureReader(run.recording().svg(embedding: Self.embedding))
    let arrows = picture.arrows.filter { $0.event == "e\(pair)" }
    #expect(arrows.map(\.classes) == [["a1"], ["a2"]])
    let ends = picture.verticals.suffix(3).map(\.x)
    #expect(ends.last.map { $0 - 8 } == ends.dropLast().last)
    let spines = picture.elements.filter { $0.event == "e\(pair)" && $0.classes.first == "q2" }
    #expect(spines.count == 2)
  }

  /// It passes to the left of the value in its way, and arrives from the left.
  @Test func anArrowBesideMarksArrivesFromTheLeft() throws {
    var run = HandMadeRun()
    let load = run.add(0, "load", .value("1"))
    run.add(0, "first", .value("1"), cause: load, from: [load])
    let second = run.add(0, "second", .value("1"), cause: load, from: [load])
    let picture = PictureReader(run.recording().svg(embedding: Self.embedding))
    let first = try #require(picture.marks.first { $0.event == "e\(load + 1)" })
    let arrow = picture.arrows.filter { $0.event == "e\(second)" }
    let x = try #require(picture.verticals.last?.x)
    #expect(arrow.count == 1 && x < first.left)
    #expect(arrow[0].attributes["d"]?.contains(/H\S+$/) ?? false)
  }

  private func expectAllArrows(
    of run: Timeline.Recording, part: Int, width: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let layouts = Picture(run, part: part, width: width).parts[0].layouts
    let picture = PictureReader(run.svg(part: part, width: width, embedding: Self.embedding))
    var drawn: [String: Int] = [:]
    for element in picture.arrows {
      if let event = element.event { drawn[event, default: 0] += 1 }
    }
    var expected: [String: Int] = [:]
    for layout in layouts {
      for route in layout.arrows.values.joined() {
        let arrow = route.arrow
        let cause = layout.diagram.marks[arrow.cause]
        let effect = layout.diagram.marks[arrow.effect]
        let isInOneBlock = layout.blocks.contains {
          $0.columns.contains(cause.column) && $0.columns.contains(effect.column)
        }
        // A wait goes on as a bar only.
        let pieces = isInOneBlock || route.end == .waiting ? 1 : 2
        expected["e\(effect.event.number)", default: 0] += pieces
      }
    }
    #expect(drawn == expected, sourceLocation: sourceLocation)
  }
}
