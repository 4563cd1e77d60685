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

  @Test func movesAsFarAsItGoes() {
    var playback = Playback(recording)
    var positions: [Int] = []
    for command: Playback.Command in [.back, .next, .next, .first, .last, .leave] {
      playback.move(command)
      positions.append(playback.position)
    }
    #expect(positions == [0, 1, 1, 0, 1, 1])
  }

  @Test func aFrameFitsTheTerminal() {
    let frame = Playback(recording).frame(columns: 30, rows: 12, style: .plain)
    let lines = frame.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 12)
    #expect(lines.allSatisfy { $0.count <= 30 })
    #expect(lines.first == "# One")
    #expect(lines.contains { $0.hasPrefix("and ") && $0.hasSuffix(" more") })
    #expect(lines.last?.hasPrefix("moment 1 of 2") == true)
    let roomy = Playback(recording).frame(columns: 30, rows: 40, style: .plain)
    #expect(roomy.contains("0: a delivers “9”."))
    #expect(!roomy.contains("more"))
  }

  @Test func nothingCanBePlayedOfNothing() {
    #expect(Playback(Timeline.Recording()).isEmpty)
  }
}
