import TestSupport
import Testing
import VirtualTime

@testable import Timeline

struct MarblesTests {
  private static let legend = """
    Not to scale: one column is one instant, and a line runs from ^ to the end.
      ^   subscribed, or request made
      |   finished
      !   cancelled
      ()  at one instant, in this order
      #   failed: badStatus(503)
      #2  failed: timedOut
      A   s
      B   sw
      C   200 OK
      D   20 bytes
      E   swi
      F   503 Service Unavailable, 1 byte
      G   no results
      H   waits for connectivity
      I   sent
      J   giving up

    """

  @Test func drawsARowForEachLaneAndAColumnForEachInstant() {
    #expect(
      sampleRun.marbles() == """
                   0ms  100ms  200ms  500ms  620ms  700ms  1000ms  1200ms  1500ms  1550ms  1600ms  2000ms
        typing     ^----A------B--------------------E----------------------------------------------|
        debounce   ^------------------B--------------------E-----------------------------------------------
        request 1                     ^------(CD)----------!
        request 2                                          ^-------(F|)
        results                                                    #
        request 3                                                          (^H)----I-------#2
        console                                                    G                       J

        \(Self.legend)
        """)
  }

  @Test func drawsTheExampleOfTheDocumentation() {
    let request = Timeline.Lane.request("request 1")
    let run = recording(
      (0, request, .network(.started(method: "GET", url: "https://api.example.com/users/1"))),
      (0, "user", .subscription), (120, request, .network(.response(status: 200, bytes: 44))),
      (120, request, .network(.finished)), (300, "user", .value("Ada")), (300, "user", .finished))
    #expect(
      run.marbles() == """
                   0ms  120ms  300ms
        request 1  ^----(A|)
        user       ^-----------(B|)

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          ^   subscribed, or request made
          |   finished
          ()  at one instant, in this order
          A   200 OK, 44 bytes
          B   Ada

        """)
  }

  @Test func continuesBelowIfItIsTooWide() {
    #expect(
      sampleRun.marbles(width: 60) == """
                   0ms  100ms  200ms  500ms  620ms  700ms  1000ms
        typing     ^----A------B--------------------E--------------
        debounce   ^------------------B--------------------E-------
        request 1                     ^------(CD)----------!
        request 2                                          ^-------
        results
        request 3
        console

                   1200ms  1500ms  1550ms  1600ms  2000ms
        typing     --------------------------------|
        debounce   ----------------------------------------
        request 1
        request 2  (F|)
        results    #
        request 3          (^H)----I-------#2
        console    G                       J

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

  @Test func drawsPartsUnderTheirTitles() throws {
    let clock = VirtualTimeScheduler()
    let timeline = Timeline(clock: clock)
    timeline.record(.value("x"), in: "a")
    timeline.beginPart("Without share()")
    clock.advance(by: .seconds(1))
    timeline.record(.value("y"), in: "longer")
    timeline.record(.value("x"), in: "a")
    timeline.beginPart(" empty")
    let drawing = timeline.recording.marbles()
    #expect(
      drawing == """
           0ms
        a  A

        # Without share()
                1000ms
        longer  B
        a       A

        # " empty"

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          A  x
          B  y

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
        a  ^----#    ^----^----!----|    A

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          ^  subscribed, or request made
          |  finished
          !  cancelled
          #  failed: no
          A  late

        """)
  }

  @Test func quotesTextsThatCouldBeMisread() throws {
    let texts = ["", " ", "\"", "a\nb", "\u{301}", "\u{202E}", "back\\slash", "é 🧑‍🚀"]
    let run = recording(texts.map { (0, .source($0), .value($0)) })
    let drawing = run.marbles()
    #expect(
      drawing == """
                    0ms
        ""          A
        " "         B
        "\\""        C
        "a\\nb"      D
        "\\u{301}"   E
        "\\u{202e}"  F
        back\\slash  G
        é 🧑‍🚀         H

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          A  ""
          B  " "
          C  "\\""
          D  "a\\nb"
          E  "\\u{301}"
          F  "\\u{202e}"
          G  back\\slash
          H  é 🧑‍🚀

        """)
  }

  @Test func numbersTheLettersAfterFiftyTwo() throws {
    let run = recording((0..<110).map { (0, "a", .value("text \($0)")) })
    let drawing = run.marbles()
    #expect(drawing.contains("(ABCDEFGHIJKLMNOPQRSTUVWXYZabc"))
    #expect(drawing.contains("xyzA1B1C1"))
    #expect(drawing.contains("z1A2B2C2D2E2F2)"))
    #expect(drawing.contains("\n  z1  text 103\n"))
  }

  @Test func reportsThatThereAreNoEvents() throws {
    #expect(Timeline.Recording().marbles() == "No events.\n")
    #expect(recording((0, "a", .request(.unlimited))).marbles() == "No events.\n")
  }

  @Test(arguments: 0..<50)
  func aPartAloneHasTheLettersOfTheWholeRun(seed: UInt64) {
    var generator = RandomRecording(seed: seed)
    let parts = Marbles(Timeline.Recording(parts: generator.next().parts + generator.next().parts))
      .parts
    let whole = MarbleLetters(parts)
    for index in parts.indices {
      let alone = MarbleLetters([parts[index]], after: Array(parts[..<index]))
      for marble in parts[index].rows.flatMap(\.marbles).map(\.marble) {
        #expect(alone[marble] == whole[marble])
      }
      // Its legend has the signs of no other part.
      let explained = alone.legend.map { $0.split(separator: " ")[0] }
      let own = Set(parts[index].rows.flatMap(\.marbles).map { alone[$0.marble] })
      #expect(Set(explained.map(String.init)).subtracting(["()"]) == own)
    }
  }
}
