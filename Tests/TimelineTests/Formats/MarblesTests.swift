import TestSupport
import Testing
import VirtualTime

@testable import Timeline

struct MarblesTests {
  private static let head =
    "Not to scale: one column is one instant, and a line runs from ^ to the end."

  private static let legend = """
      #    failed: badStatus(503)
      #2   failed: timedOut
      200  OK
      503  Service Unavailable

    \(head)
      ^   subscribed, or request made
      |   finished
      !   cancelled
      ()  at one instant, in this order

    """

  @Test func drawsARowForEachLaneAndAColumnForEachInstant() {
    #expect(
      sampleRun.marbles(width: 120) == """
                   0ms  100ms  200ms  500ms  620ms        700ms  1000ms  1200ms       1500ms    1550ms  1600ms     2000ms
        typing     ^----s------sw-------------------------swi------------------------------------------------------|
        debounce   ^------------------sw-------------------------swi-------------------------------------------------------
        request 1                     ^------(200, 20 B)---------!
        request 2                                                ^-------(503, 1 B|)
        results                                                          #
        request 3                                                                     (^waits)--sent----#2
        console                                                          no results                     giving up

        \(Self.legend)
        """)
  }

  @Test func drawsTheExampleOfTheDocumentation() {
    let request = Timeline.Lane.request("request 1")
    let run = recording(
      (0, request, .network(.started(method: "GET", url: "https://api.example.com/users/1"))),
      (0, "user", .subscription), (120, request, .network(.response(status: 200, bytes: 44))),
      (120, request, .network(.finished)), (300, "user", .value("Ada")), (300, "user", .finished),
      (300, .console, .printed("Good morning, Ada!")))
    #expect(
      run.marbles() == """
                   0ms  120ms         300ms
        request 1  ^----(200, 44 B|)
        user       ^------------------(Ada|)
        console                       A

          200  OK
          A    Good morning, Ada!

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          ^   subscribed, or request made
          |   finished
          ()  at one instant, in this order

        """)
  }

  @Test func continuesBelowIfItIsTooWide() {
    #expect(
      sampleRun.marbles(width: 66) == """
                   0ms  100ms  200ms  500ms  620ms        700ms  1000ms
        typing     ^----s------sw-------------------------swi------------
        debounce   ^------------------sw-------------------------swi-----
        request 1                     ^------(200, 20 B)---------!
        request 2                                                ^-------
        results
        request 3
        console

                   1200ms       1500ms    1550ms  1600ms     2000ms
        typing     ------------------------------------------|
        debounce   --------------------------------------------------
        request 1
        request 2  (503, 1 B|)
        results    #
        request 3               (^waits)--sent----#2
        console    no results                     giving up

        \(Self.legend)
        """)
  }

  @Test func drawsAtLeastOneColumnPerBlock() {
    let run = recording((0, "a lane", .subscription), (5, "a lane", .finished))
    #expect(
      run.marbles(width: 1) == """
                0ms
        a lane  ^----

                5ms
        a lane  |

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          ^  subscribed, or request made
          |  finished

        """)
  }

  @Test(arguments: [(100, 3), (200, 2), (nil, 1)])
  func drawsFortyInstantsInAFewBlocks(width: Int?, blocks: Int) throws {
    let run = recording((0..<40).map { ($0 * 10, .source("ticks"), .value("\($0 % 3)")) })
    let drawing = run.marbles(width: width)
    let lines = drawing.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("ticks") } == blocks)
    #expect(lines.allSatisfy { $0.count <= width ?? .max })
  }

  /// Each part has its own letters, and its key stands below its rows.
  @Test func drawsPartsUnderTheirTitles() throws {
    let clock = VirtualTimeScheduler()
    let timeline = Timeline(clock: clock)
    timeline.record(.value("too long to stand in a row"), in: "a")
    timeline.beginPart("Without share()")
    clock.advance(by: .seconds(1))
    timeline.record(.value("also too long for that"), in: "longer")
    timeline.record(.value("too long to stand in a row"), in: "a")
    timeline.record(.failure("lost"), in: "a")
    timeline.beginPart(" empty")
    let drawing = timeline.recording.marbles()
    #expect(
      drawing == """
           0ms
        a  A

          A  too long to stand in a row

        # Without share()
                1000ms
        longer  A
        a       (B, #)

          #  failed: lost
          A  also too long for that
          B  too long to stand in a row

        # " empty"

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          ()  at one instant, in this order

        """)
  }

  @Test func drawsALineWhileASubscriptionIsOpen() {
    // First one subscription after the other, then two at the same time.
    let run = recording(
      (0, "a", .subscription), (1, "a", .failure("no")), (2, "a", .subscription),
      (3, "a", .subscription), (4, "a", .cancelled), (5, "a", .finished), (6, "a", .value("late")))
    #expect(
      run.marbles() == """
           0ms  1ms  2ms  3ms  4ms  5ms  6ms
        a  ^----#    ^----^----!----|    late

          #  failed: no

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          ^  subscribed, or request made
          |  finished
          !  cancelled

        """)
  }

  /// Texts of a group have a comma between them, also next to a failure. Other signs need none.
  @Test func separatesTheTextsOfAGroup() {
    let kinds: [Timeline.Event.Kind] = [
      .subscription, .value("5"), .value("12"), .failure("a"), .subscription, .value("8"),
      .failure("b"), .value("9"), .cancelled, .value("1 m/s"), .finished,
    ]
    let drawing = recording(kinds.map { (0, "prices", $0) }).marbles()
    #expect(drawing.hasPrefix("        0ms\nprices  (^5, 12, #^8, #2, 9!1 m/s|)\n"))
  }

  /// A text that could be read as a sign, as a line, or as several texts has a letter, and so has
  /// one that's long, or would move what follows it.
  @Test(arguments: [
    "", " ", " a", "a ", "a  b", "-1", "2024–25", "a-b", "(1, 2)", "1, 2", "a|", "^", "Hi!", "#1",
    "\"", "\"a\"", "a\nb", "漢字", "🧑‍🚀", "\u{301}", "e\u{301}\u{302}", "שלום", "\u{202E}",
    "thirteen char",
  ])
  func aTextThatCouldBeMisreadHasALetter(_ text: String) {
    let part = Marbles(recording((0, "a", .value(text)))).parts[0]
    #expect(MarbleKey(part)[.value(text)] == "A")
    #expect(MarbleKey(part).lines(for: part.marbles()) == ["  A  \(text.quotedIfNeeded)"])
  }

  @Test(arguments: [
    "5", "1 m/s", "12 letters..", "5 → 7", "25 %", "1 €", "[\"d\"]", "Größe", "20.0", "a:b", "nil",
    "A",
  ])
  func aShortTextStandsForItself(_ text: String) {
    let part = Marbles(recording((0, "a", .value(text)))).parts[0]
    #expect(MarbleKey(part)[.value(text)] == text)
    #expect(MarbleKey(part).lines(for: part.marbles()) == [])
  }

  /// Letters that look like digits aren't used, and neither are those that are a text of the part.
  @Test func givesLettersInOrder() throws {
    let texts = ["A", "C", "AB"] + (0..<60).map { "a long text, number \($0)" }
    let drawing = recording(texts.map { (0, "a", .value($0)) }).marbles()
    let row = try #require(drawing.split(separator: "\n").dropFirst().first)
    let letters = "B,D,E,F,G,H,J,K,L,M,N,P,Q,R,S,T,U,V,W,X,Y,Z,AA,AC,AD,AE,AF,AG,AH,AJ,AK,AL,AM,AN,"
    let rest = "AP,AQ,AR,AS,AT,AU,AV,AW,AX,AY,AZ,BA,BB,BC,BD,BE,BF,BG,BH,BJ,BK,BL,BM,BN,BP,BQ"
    #expect(
      row == "a  (A, C, AB, \((letters + rest).replacing(",", with: ", ")))")
    #expect(drawing.contains("\n  B   a long text, number 0\n"))
    #expect(drawing.contains("\n  BQ  a long text, number 59\n"))
  }

  @Test func quotesNamesThatCouldBeMisread() throws {
    let names = ["", " ", "\"", "a\nb", "\u{301}", "\u{202E}", "back\\slash", "é 🧑‍🚀"]
    let drawing = recording(names.map { (0, .source($0), .finished) }).marbles()
    #expect(
      drawing == """
                    0ms
        ""          |
        " "         |
        "\\""        |
        "a\\nb"      |
        "\\u{301}"   |
        "\\u{202e}"  |
        back\\slash  |
        é 🧑‍🚀         |

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          |  finished

        """)
  }

  @Test func reportsThatThereAreNoEvents() throws {
    #expect(Timeline.Recording().marbles() == "No events.\n")
    #expect(recording((0, "a", .request(.unlimited))).marbles() == "No events.\n")
  }

  /// A part's rows and key are the same with other parts around it.
  @Test(arguments: 0..<50)
  func aPartAloneIsAPieceOfTheWholeRun(seed: UInt64) {
    var generator = RandomRecording(seed: seed)
    let recording = Timeline.Recording(parts: generator.next().parts + generator.next().parts)
    let marbles = Marbles(recording)
    for (part, alone) in zip(
      marbles.parts, recording.parts.flatMap { Marbles(.init(parts: [$0])).parts })
    {
      let (one, other) = (part.diagram(marbles.unit), alone.diagram(marbles.unit))
      #expect(one.blocks == other.blocks && one.key == other.key && one.title == other.title)
    }
  }

  /// The key explains each letter and each failure once, and none of them is also a text in a row.
  @Test(arguments: 0..<100)
  func theKeyExplainsWhatDoesNotStandForItself(seed: UInt64) {
    var generator = RandomRecording(seed: seed)
    for part in Marbles(generator.nextUnruly()).parts {
      let key = MarbleKey(part)
      let marbles = part.marbles()
      let symbols = marbles.filter { $0.ownText == nil && $0.isWords }.map { key[$0] }
      let explained = key.lines(for: marbles).map { String($0.split(separator: " ")[0]) }
      #expect(explained.filter { $0 != "200" }.sorted() == symbols.sorted())
      #expect(Set(symbols).isDisjoint(with: marbles.compactMap(\.ownText)))
    }
  }

  /// The rows and letters are there from the beginning, and the key has those in use.
  @Test func aDiagramUpToAMomentHasTheLettersOfTheWholePart() throws {
    let run = recording(
      (0, "a", .value("first of two long texts")), (5, "b", .value("second of two long texts")))
    let now = try #require(run.marbleDiagram(until: .zero, cutTo: 80, in: .plain))
    #expect(now.blocks == [["   0ms", "a  A", "b"]])
    #expect(now.key == ["  A  first of two long texts"])
    let then = try #require(run.marbleDiagram(until: .milliseconds(5), cutTo: 17, in: .plain))
    #expect(then.blocks == [["   0ms  5ms", "a  A", "b       B"]])
    #expect(then.key == ["  A  first of tw…", "  B  second of t…"])
    #expect(then.key.allSatisfy { $0.count == 17 })
  }
}
