import Testing
import Timeline

@testable import ScenarioKit

struct PlaybackTests {
  private func commands(_ bytes: [UInt8]) -> [Playback.Command] {
    var rest = bytes[...]
    var commands: [Playback.Command] = []
    repeat {
      commands.append(Playback.Command.read { _ in rest.popFirst() })
    } while !rest.isEmpty
    return commands
  }

  @Test(
    arguments: [
      ("\u{1B}[C", .next), ("\u{1B}OC", .next), ("\u{1B}[B", .next), (" ", .next), ("\n", .next),
      ("\u{1B}[D", .back), ("\u{1B}[A", .back), ("\u{7F}", .back), ("h", .back),
      ("\u{1B}[H", .first), ("\u{1B}[1~", .first), ("\u{1B}[F", .last), ("\u{1B}[4~", .last),
      ("q", .leave), ("\u{3}", .leave), ("\u{4}", .leave), ("\u{1B}", .leave), ("", .leave),
    ] as [(String, Playback.Command)])
  func keysMeanWhatReadersExpect(key: String, command: Playback.Command) {
    #expect(commands(Array(key.utf8)) == [command])
  }

  @Test func otherKeysAreSkipped() {
    #expect(commands(Array("xé\u{1B}[5~\u{1B}x\u{1B}[C".utf8)) == [.next])
  }

  private let recording: Timeline.Recording = {
    let timeline = Timeline(now: { .zero })
    timeline.beginPart("One")
    for number in 1...9 { timeline.record(.value("\(number)"), in: "a") }
    timeline.beginPart("Two")
    timeline.record(.finished, in: "b")
    return timeline.recording
  }()

  /// A part with a key, and with more columns than fit a narrow terminal.
  private let texts: Timeline.Recording = {
    var events: [Timeline.Event] = []
    func add(_ time: Int, _ lane: Timeline.Lane, _ text: String) {
      events.append(
        Timeline.Event(
          number: events.count + 1, time: .milliseconds(time), place: 1, lane: lane,
          kind: .value(text)))
    }
    for text in ["first", "second, which is a long text", "third, which is also a long text"] {
      add(0, "a", text)
    }
    for text in ["fourth", "fifth", "sixth, which is long too"] { add(1000, "b", text) }
    return .init(parts: [.init(title: "One", events: events)])
  }()

  @Test func movesAsFarAsItGoes() {
    var playback = Playback(recording)
    var positions: [Int] = []
    for command: Playback.Command in [.back, .next, .next, .first, .last, .leave] {
      playback.move(command)
      positions.append(playback.position)
    }
    #expect(positions == [0, 1, 1, 0, 1, 1])
  }

  @Test func aFrameShowsAllThatThereIs() {
    #expect(
      Playback(texts).frame(columns: 60, rows: 40, style: .plain) == """
        # One
           0ms
        a  (first, A, B)
        b

          A  second, which is a long text
          B  third, which is also a long text

        0ms: a delivers “first”.
        0ms: a delivers “second, which is a long text”.
        0ms: a delivers “third, which is also a long text”.

        moment 1 of 2   ← → step   Home End   q leaves
        """)
  }

  /// Neither the key nor the sentences vanish without a word, and the latest moment stays.
  @Test func aFrameSaysWhatItHasNoRoomFor() {
    var playback = Playback(texts)
    #expect(
      playback.frame(columns: 30, rows: 11, style: .plain) == """
        # One
           0ms
        a  (first, A, B)
        b

        (2 more in the key)

        0ms: a delivers “first”.
        and 2 more at this moment

        moment 1 of 2   ← → step   Hom
        """)
    playback.move(.last)
    #expect(
      playback.frame(columns: 30, rows: 14, style: .plain) == """
        # One
        (1 earlier block)
           1000ms
        a
        b  (fourth, fifth, C)

        (2 more in the key)
          C  sixth, which is long too

        1000ms: b delivers “fourth”.
        1000ms: b delivers “fifth”.
        1000ms: b delivers “sixth, whi

        moment 2 of 2   ← → step   Hom
        """)
  }

  /// Whatever the size, a frame isn't larger, and it has something of each of its blocks.
  @Test(arguments: [(8, 10), (20, 12), (30, 12), (30, 16), (100, 14), (80, 24)])
  func aFrameFitsTheTerminal(columns: Int, rows: Int) {
    for recording in [recording, texts] {
      var playback = Playback(recording)
      for _ in 0..<2 {
        let frame = playback.frame(columns: columns, rows: rows, style: .plain)
        let blocks = frame.split(separator: "\n\n")
        let lines = frame.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= rows, "\(frame)")
        #expect(columns < 30 || lines.allSatisfy { $0.count <= columns }, "\(frame)")
        #expect(blocks.count >= 3)
        playback.move(.next)
      }
    }
  }

  @Test func nothingCanBePlayedOfNothing() {
    #expect(Playback(Timeline.Recording()).isEmpty)
  }
}
