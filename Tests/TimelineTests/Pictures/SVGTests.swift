import Foundation
import TestSupport
import Testing

@testable import Timeline
@testable import TimelinePictures

struct SVGTests {
  private static let runs = [
    "retry-then-fallback": fallbackRun, "search-as-you-type": searchRun,
    "share-single-load": loadTwiceRun,
  ]

  /// An embedding keeps each event's group, however large the picture is.
  private static let plain = Timeline.PictureEmbedding(idPrefix: "", classPrefix: "")

  @Test(arguments: runs.keys.sorted(), Timeline.PictureStyle.allCases)
  func isASmallFileThatHoldsEverything(name: String, style: Timeline.PictureStyle) throws {
    let run = try #require(Self.runs[name])
    let svg = run.svg(part: 0, style: style, limit: 10_000)
    #expect(svg == run.svg(part: 0, style: style, limit: 10_000))
    #expect(svg.utf8.count <= 10_000)
    #expect(svg.hasSuffix("</svg>\n"))
    for word in ["<script", "var(", "<marker", "url(", "@font-face", "currentColor", "NaN"] {
      #expect(!svg.contains(word))
    }
    let picture = PictureReader(svg)
    #expect(picture.error == nil)
    let root = picture.elements[0].attributes
    #expect(root["role"] == "img")
    #expect(root["aria-labelledby"] == "t d")
    #expect(picture.number(root["width"]) <= picture.number("\(style.width)"))
    #expect(picture.text(of: "title") == run.parts[0].title)
    let description = try #require(picture.text(of: "desc"))
    for row in LaneRows(run.parts[0]).rows where row.lane != .console {
      #expect(description.contains(" \(row.name): "))
    }
  }

  @Test func hasAGroupWithATitleForEachEventThatIsDrawn() {
    let picture = PictureReader(fallbackRun.svg(part: 0))
    let groups = picture.elements.compactMap { $0.attributes["id"] }.filter { $0.first == "e" }
    // All demand is unlimited. The last event prints what the finish above it shows.
    let drawn = fallbackRun.events.dropLast().filter { $0.kind != .request(.unlimited) }
    #expect(groups == drawn.map { "e\($0.number)" })
    let titles = picture.elements.filter { $0.name == "title" }.map(\.text)
    #expect(titles[1] == "0ms: data task gets a subscriber.")
    #expect(titles.contains("60ms: data task fails: networkConnectionLost."))
    #expect(titles.count == groups.count + 1)
  }

  @Test func wordsStandInTheirMarks() {
    let run = recording(
      (0, "a", .value("sixteen letters.")), (1, "a", .value("18 degrees, 1 m/s")),
      (2, "a", .value("")), (3, "b", .failure("networkConnectionLost")),
      (4, "b", .value("https://example.com/users")), (5, "b", .failure("short")),
      (6, "b", .value("<&\"\u{1}")))
    let picture = PictureReader(run.svg())
    #expect(picture.error == nil)
    #expect(
      picture.texts("y") == [
        "sixteen letters.", "18 degrees,", "1 m/s", "\"\"", "https://", "example.com/users",
        "\"<&\\\"\\u{1}\"",
      ])
    #expect(picture.texts("z") == ["network", "ConnectionLost", "short"])
  }

  @Test func aFailureHasItsWordsWhereItBegins() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .failure("lost"))
    let second = run.add(0, "b", .failure("lost"), cause: first)
    run.add(0, "c", .failure("Other(lost)"), cause: second)
    #expect(PictureReader(run.recording().svg()).texts("z") == ["lost", "Other(lost)"])
  }

  @Test func neverCutsALongText() {
    let text = (1...60).map { "word\($0)" }.joined(separator: " ")
    for kind: Timeline.Event.Kind in [.value(text), .printed(text)] {
      let picture = PictureReader(recording((0, "a", kind)).svg(style: .narrow))
      #expect(picture.texts("y").joined(separator: " ") == text)
      #expect(picture.texts("y").allSatisfy { $0.count <= 47 })
    }
  }

  @Test func longTextsKeepTheirSpacesAndStayInsideTheCard() {
    let heart = "|   ▀█▀   |"
    let text = (1...30).map { "word\($0)" }.joined(separator: " ")
    let run = recording(
      (0, "a", .value(heart)), (1, "a", .value(text)), (2, "a", .value("b  c")),
      (3, .console, .printed(text)))
    for style in Timeline.PictureStyle.allCases {
      let picture = PictureReader(run.svg(style: style))
      let words = picture.elements.filter { $0.classes.first == "y" }
      #expect(words.first?.text == heart)
      #expect(words.map { $0.attributes["xml:space"] == "preserve" }.prefix(2) == [true, false])
      let card = picture.elements[0].number("width")
      for line in words {
        // The advance of the widest monospaced fonts is 0.603 of their size.
        let end = line.number("x") + Double(line.text.count) * 11 * 0.603
        #expect(end <= card - 5)
      }
      #expect(picture.elements.first { $0.text == "b  c" }?.attributes["xml:space"] == "preserve")
    }
  }

  /// Each begins at its instant, and below those that go on there.
  @Test func printedLinesStandBelowEachOther() {
    let run = recording(
      (0, .console, .printed("one line")), (10, .console, .printed("two")),
      (10, .console, .printed("three")), (5000, .console, .printed("later")))
    let picture = PictureReader(run.svg())
    let lines = picture.elements.filter { $0.classes == ["y"] }
    let heights = lines.map { ($0.number("y") - lines[0].number("y")) / 15 }
    #expect(heights == [0, 1, 2, 0])
    let places = lines.map { $0.number("x") }
    #expect(places == places.sorted())
  }

  @Test func explainsOnlyTheSignsInUse() {
    func key(_ run: Timeline.Recording) -> [String] {
      PictureReader(run.svg()).key
    }
    #expect(key(recording((0, "a", .note("x")))) == [])
    #expect(
      key(recording((0, "a", .subscription), (1, "a", .cancelled))) == ["subscribed", "cancelled"])
    #expect(
      key(sampleRun) == [
        "subscribed, sent", "on its way", "which value", "delivered", "finished", "failed",
        "cancelled", "not to scale", "time cut out",
      ])
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("x"))
    run.add(9, "b", .value("x"), cause: value, from: [value])
    #expect(
      key(run.recording())
        == ["which value", "delivered", "made of it", "timer", "waits"])
  }

  @Test func cutsTimeVisiblyOnTheAxisAndInEachOpenLine() {
    let run = recording(
      (0, "a", .subscription), (0, "b", .subscription), (10, "a", .value("1")),
      (20, "b", .finished), (9000, "a", .finished))
    let picture = PictureReader(run.svg(embedding: Self.plain))
    #expect(picture.texts("i").prefix(6) == ["0", "10", "20", "9000", "ms", "//"])
    let lines = picture.elements.filter { $0.classes == ["l"] }.compactMap { $0.attributes["d"] }
    #expect(lines.map { $0.contains("l4-10") } == [true, false])
  }

  /// Three pushes at 0 have a column each, and one label, bracket and band.
  @Test func anInstantWithSeveralColumnsIsOneBand() {
    let run = recording(
      (0, "a", .value("1")), (0, "a", .value("2")), (0, "a", .value("3")), (5, "a", .finished))
    let picture = PictureReader(run.svg())
    #expect(picture.texts("i") == ["0", "5", "ms"])
    let instants = picture.instants
    #expect(instants.count == 4)
    #expect(instants.map { $0.left < $0.x } == [false, false, true, false])
    #expect(instants[2].left == instants[0].x)
    #expect(picture.key.contains("one moment"))
  }

  @Test func aCutBeforeABlockStaysInsideTheCard() throws {
    let run = recording(
      (0, "a", .value("12345678")), (10, "a", .value("12345678")), (9000, "a", .value("1")))
    let picture = PictureReader(run.svg(width: 110))
    let cut = try #require(picture.elements.first { $0.text == "//" })
    let label = try #require(picture.elements.first { $0.text == "9000" })
    #expect(cut.number("x") >= 12)
    // The cut is 2 characters of 11 pixels, and half of the label 2 more.
    #expect(label.number("x") - cut.number("x") >= 4 * 6.5 + 3)
  }

  @Test func aLongTimeAfterACutLeavesRoomForItsSign() throws {
    let run = recording(
      (1, "a", .value("1")), (2, "a", .value("2")), (3, "a", .value("3")),
      (1_000_000, "a", .value("late")))
    let picture = PictureReader(run.svg())
    let cut = try #require(picture.elements.first { $0.text == "//" })
    let label = try #require(picture.elements.first { $0.text == "1000000" })
    // Half of each label, at 6.5 pixels a character.
    #expect(label.number("x") - cut.number("x") >= (2 + 7) / 2 * 6.5)
  }

  @Test func stacksPartsUnderTheirTitlesWithOneLegend() {
    let run = Timeline.Recording(parts: fallbackRun.parts + loadTwiceRun.parts)
    let picture = PictureReader(run.svg())
    #expect(picture.error == nil)
    #expect(picture.texts("f") == ["The fallback succeeds", "Without share()"])
    #expect(picture.text(of: "title") == "Marble diagram")
    let ids = picture.elements.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
    #expect(ids.contains("p1e1") && ids.contains("p2e1"))
    #expect(PictureReader(run.svg(part: 1)).texts("f") == ["Without share()"])
    #expect(PictureReader(run.svg(part: 1)).text(of: "title") == "Without share()")
  }

  @Test func aFileHasItsTitleAndAPageHasItOnce() throws {
    let run = recording((0, "a", .value("1")))
    let long = "poll-and-combine: " + Array(repeating: "a sensor", count: 12).joined(separator: " ")
    for style in Timeline.PictureStyle.allCases {
      let picture = PictureReader(run.svg(title: long, style: style))
      #expect(picture.texts("f").joined(separator: " ") == long)
      #expect(picture.text(of: "title") == long)
      // The average of bold letters is 0.55 of their size.
      let width = picture.elements[0].number("width")
      #expect(picture.texts("f").allSatisfy { 12 + Double($0.count) * 12 * 0.58 <= width })
      let first = try #require(picture.instants.map(\.top).min())
      let titles = picture.elements.filter { $0.classes.contains("f") }
      #expect(titles.allSatisfy { $0.number("y") < first - 30 })
    }
    #expect(PictureReader(run.svg(embedding: Self.plain)).texts("f") == [])
  }

  @Test func aPictureWithALimitSaysLessAboutEachEvent() {
    func counts(_ count: Int, limit: Int = 10_000) -> [Int] {
      let run = recording((0..<count).map { ($0 / 13, "a", .value("\($0)")) })
      let picture = PictureReader(run.svg(part: nil, style: .wide, limit: limit))
      let groups = picture.elements.count { $0.attributes["id"]?.hasPrefix("e") ?? false }
      let titles = picture.elements.count { $0.name == "title" } - 1
      // All values are always there.
      return [groups, titles, picture.texts("y").count]
    }
    #expect(counts(20) == [20, 20, 20])
    #expect(counts(90) == [0, 0, 90])
    #expect(counts(90, limit: .max) == [90, 90, 90])
  }

  /// The first path of these is filled.
  @Test func aPictureWithALimitHidesNoSign() throws {
    var run = HandMadeRun()
    run.subscribe(0, ["in", "filter"])
    run.add(1, "in", .value("0"), life: 1)
    let value = run.add(2, "in", .value("1"), life: 1)
    run.add(2, "filter", .value("1"), cause: value, from: [value], life: 1)
    let typed = run.add(3, "typed", .value("s"))
    run.add(9, "other", .value("t"), cause: typed)
    let svg = run.recording().svg(part: nil, style: .wide, limit: 0)
    let order = PictureReader(svg).elements.filter { !$0.isKey }.map(\.classes)
    for (first, second) in [(["Z"], ["w", "Z"]), (["p", "K"], ["w", "K"]), (["w"], ["p", "K"])] {
      let (first, second) = try (
        #require(order.lastIndex(of: first)), #require(order.lastIndex(of: second))
      )
      #expect(first < second)
    }
  }

  /// Work that grows with the square of the events would take minutes here.
  @Test(arguments: [1, 5_000])
  func aLongRunIsDrawn(eventsPerInstant: Int) {
    let events = (0..<10_000).map { index in
      Timeline.Event(
        number: index + 1, time: .milliseconds(index / 2 / eventsPerInstant * 100), place: 1,
        lane: index.isMultiple(of: 2) ? "a" : "b", kind: .value("\(index / 2)"),
        cause: index.isMultiple(of: 2) ? nil : index)
    }
    let starts = ["a", "b"].enumerated().map { index, lane in
      Timeline.Event(
        number: 20_000 + index, time: .zero, place: 1, lane: .operator(lane), kind: .subscription)
    }
    let recording = Timeline.Recording(parts: [.init(title: "Long", events: starts + events)])
    let svg = recording.svg(style: .narrow)
    #expect(svg.components(separatedBy: "class=\"y").count == 10_002)
    // One of each is in the key.
    let arrows = svg.components(separatedBy: "class=\"o\"").count
    #expect(arrows == 5_002)
  }

  @Test func anEmptyRecordingIsAnEmptyPicture() {
    for run in [Timeline.Recording(), Timeline.Recording(parts: [.init(title: "Nothing")])] {
      let picture = PictureReader(run.svg())
      #expect(picture.error == nil)
      #expect(picture.text(of: "desc") == "No events.")
    }
  }

  @Test func anEmbeddedPictureHasPrefixesAndPlaces() {
    let embedding = Timeline.PictureEmbedding(idPrefix: "run-", classPrefix: "pic-")
    let picture = PictureReader(fallbackRun.svg(part: 0, embedding: embedding))
    #expect(picture.error == nil)
    #expect(picture.elements.allSatisfy { $0.attributes["id"]?.hasPrefix("run-") ?? true })
    #expect(picture.elements.allSatisfy { $0.classes.allSatisfy { $0.hasPrefix("pic-") } })
    #expect(picture.elements[0].attributes["aria-labelledby"] == "run-t run-d")
    let groups = picture.elements.filter { $0.attributes["id"]?.hasPrefix("run-e") ?? false }
    // Even the event that isn't drawn has a place.
    #expect(groups.count == fallbackRun.events.count)
    for group in groups {
      #expect(group.number("data-x") > 0)
      #expect(group.number("data-row") >= 0)
      #expect(group.number("data-block") == 0)
    }
    let block = picture.elements.first { $0.attributes["data-left"] != nil }
    #expect((block?.number("data-right") ?? 0) > (block?.number("data-left") ?? 0))
    #expect((block?.number("data-bottom") ?? 0) > (block?.number("data-top") ?? 0))
    let lives = picture.elements.filter { $0.attributes["data-from"] != nil }
    #expect(
      lives.prefix(3).map {
        "\($0.attributes["data-from"] ?? "")-\($0.attributes["data-to"] ?? "")"
      }
        == ["1-9", "2-15", "3-26"])
  }

  @Test(arguments: runs.keys.sorted(), [360, 720, 1])
  func marksKeepTheirDistanceAndNothingLiesUnderAnArrow(name: String, width: Int) throws {
    let run = try #require(Self.runs[name])
    expectClear(run.svg(part: 0, width: width, embedding: Self.plain))
  }

  @Test(arguments: 0..<60)
  func anyRecordingGivesAClearPicture(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    for run in [random.next(), random.nextUnruly()] {
      for style in Timeline.PictureStyle.allCases {
        expectClear(run.svg(style: style, embedding: Self.plain))
      }
    }
  }

  /// With names above the lanes, the arrows turn close to the marks of the next row.
  @Test func arrowsThatTurnUpDoNotReachIntoMarks() {
    var run = HandMadeRun()
    let lane = Timeline.Lane.operator("a name of more than thirty characters")
    run.pass(0, .value("0"), down: ["a", lane], cause: nil)
    let causes = [1, 2].map { run.add($0, lane, .value("\($0)")) }
    for (time, cause) in zip([3, 4], causes) { run.add(time, "a", .value("x"), cause: cause) }
    let svg = run.recording().svg(style: .narrow, embedding: Self.plain)
    #expect(svg.contains("m t n k"))
    expectClear(svg)
  }

  private func expectClear(_ svg: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let picture = PictureReader(svg)
    #expect(picture.error == nil, sourceLocation: sourceLocation)
    let marks = picture.marks.sorted { ($0.middle, $0.left) < ($1.middle, $1.left) }
    for (index, first) in marks.enumerated() {
      for second in marks[(index + 1)...]
      where second.top < first.bottom && second.bottom > first.top {
        // An end stands right behind its value.
        let gap = second.isEnd && abs(second.left - first.right) < 1 ? 0 : 5
        #expect(
          max(second.left - first.right, first.left - second.right) >= Double(gap) - 0.5,
          "\(first.event) and \(second.event) are too close", sourceLocation: sourceLocation)
      }
    }
    for arrow in picture.verticals {
      for mark in marks where mark.left < arrow.x && arrow.x < mark.right {
        #expect(
          mark.bottom <= arrow.top || mark.top >= arrow.bottom,
          "\(mark.event) lies under an arrow", sourceLocation: sourceLocation)
      }
    }
  }
}

extension PictureReader {
  fileprivate func number(_ text: String?) -> Double { Double(text ?? "") ?? .infinity }
}
