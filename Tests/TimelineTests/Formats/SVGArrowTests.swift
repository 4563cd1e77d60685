import Testing

@testable import Timeline

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
    let paths = picture.elements.filter { $0.event == "e\(last)" && $0.classes.first == "a" }
      .compactMap { $0.attributes["d"] }
    #expect(paths.count == 3)
    #expect(paths[0].hasSuffix("H\(block.attributes["data-right"] ?? "")"))
    #expect(paths[1].hasPrefix("M\(block.attributes["data-left"] ?? "") "))
    #expect(paths[2].hasSuffix("h7l-3.5 6"))
  }

  @Test func arrowsOfTwoCausesAreDrawnApart() {
    var run = HandMadeRun()
    let first = run.add(0, "shown", .value("a"))
    let second = run.add(1, "shown", .value("b"))
    run.add(2, "delay", .value("a"), cause: first)
    run.add(3, "delay", .value("b"), cause: second)
    let picture = PictureReader(run.recording().svg(embedding: Self.embedding))
    let paths = picture.elements.filter { $0.event != nil && $0.classes == ["a", "o", "w"] }
      .compactMap { $0.attributes["d"] }
    // The middles of the rows are at 48 and 85. The one that starts first goes further down.
    #expect(paths.count == 2)
    #expect(paths[0].contains("V61q0 4 4 4H"))
    #expect(paths[1].contains("V59q0 2 4 2H"))
  }

  @Test(arguments: runs.indices, [360, 300, 240, 200])
  func noArrowGoesThroughANameAboveALane(run: Int, width: Int) {
    for part in Self.runs[run].parts.indices {
      let layout = Picture(Self.runs[run], part: part, width: width).parts[0].layout
      let picture = PictureReader(
        Self.runs[run].svg(part: part, width: width, embedding: Self.embedding))
      let columns = layout.metrics.columnsWidth
      for name in picture.elements where name.classes == ["m", "t", "k"] {
        let length = Pixels.monospaced(name.text.cells, size: 12)
        // A name that takes all of the width can't avoid arrows.
        guard length + 110 <= columns else { continue }
        let (x, y) = (name.number("x"), name.number("y"))
        for arrow in picture.verticals where arrow.top < y && arrow.bottom > y - 9 {
          let isClear = arrow.x <= x - 4 || arrow.x >= x + Double(length.halves) / 2 + 4
          #expect(isClear, "an arrow at \(arrow.x) goes through \(name.text)")
        }
      }
    }
  }

  private func expectAllArrows(
    of run: Timeline.Recording, part: Int, width: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let layout = Picture(run, part: part, width: width).parts[0].layout
    let picture = PictureReader(run.svg(part: part, width: width, embedding: Self.embedding))
    var drawn: [String: Int] = [:]
    for element in picture.elements where element.classes.first == "a" {
      if let event = element.event { drawn[event, default: 0] += 1 }
    }
    var expected: [String: Int] = [:]
    for arrow in layout.diagram.arrows {
      let cause = layout.diagram.marks[arrow.cause]
      let effect = layout.diagram.marks[arrow.effect]
      let isInOneBlock = layout.blocks.contains {
        $0.columns.contains(cause.column) && $0.columns.contains(effect.column)
      }
      // The tip of a bent line is a path of its own.
      let pieces = cause.column == effect.column ? 1 : isInOneBlock ? 2 : 3
      expected["e\(effect.event.number)", default: 0] += pieces
    }
    #expect(drawn == expected, sourceLocation: sourceLocation)
  }
}
