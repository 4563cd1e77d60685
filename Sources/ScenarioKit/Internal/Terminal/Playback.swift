import Foundation
import Timeline
import VirtualTime
import VirtualWorld

/// A run on a terminal that a reader steps through with the arrow keys: its marbles up to a moment,
/// and what happens at that moment.
struct Playback {
  /// What a key does.
  enum Command: Hashable {
    case next
    case back
    case first
    case last
    case leave
  }

  private struct Moment {
    let part: Int
    let time: VirtualTime
  }

  private let recording: Timeline.Recording
  private let moments: [Moment]

  /// The position of the moment that's shown.
  private(set) var position = 0

  /// Begins at the first moment.
  ///
  /// - Parameter recording: The parts to step through.
  init(_ recording: Timeline.Recording) {
    self.recording = recording
    moments = recording.parts.enumerated().flatMap { index, part in
      Set(part.events.map(\.time)).sorted().map { Moment(part: index, time: $0) }
    }
  }

  /// Whether there's nothing to show.
  var isEmpty: Bool { moments.isEmpty }

  /// Moves, as far as it goes.
  mutating func move(_ command: Command) {
    switch command {
    case .next: position = min(position + 1, moments.count - 1)
    case .back: position = max(position - 1, 0)
    case .first: position = 0
    case .last: position = moments.count - 1
    case .leave: break
    }
  }

  /// The current moment: the marbles so far with their key, the events of the moment as sentences,
  /// and the keys to press. It says what there's no room for.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal.
  ///   - rows: Its height.
  ///   - style: Its colours.
  func frame(columns: Int, rows: Int, style: TerminalStyle) -> String {
    let moment = moments[position]
    let part = Timeline.Recording(parts: [recording.parts[moment.part]])
    let diagram = part.marbleDiagram(until: moment.time, cutTo: columns, in: style)
    let unit = TimeUnit(fitting: part.events.map(\.time))
    let sentences = zip(part.events, part.sentences(ofPart: 0))
      .filter { $0.0.time == moment.time }
      .map { "\(unit.text(of: moment.time)): \($0.1)" }
    let key = diagram?.key ?? []
    let help = "moment \(position + 1) of \(moments.count)   ← → step   Home End   q leaves"
    // Without the last line, and an empty line below each block.
    let textRows = rows - 2 - [key, sentences].count { !$0.isEmpty }
    let rowsOfMarbles = Self.rows(
      of: diagram, room: textRows - min(1, key.count) - min(1, sentences.count),
      roomNextToAll: textRows - key.count - sentences.count)
    let room = textRows - rowsOfMarbles.count
    let keyRoom = min(key.count, max(room / 2, room - sentences.count))
    let blocks = [
      rowsOfMarbles, key.fittedAtItsEnd(to: keyRoom, "in the key"),
      sentences.fitted(to: room - keyRoom, "at this moment").map { String($0.prefix(columns)) },
      [String(help.prefix(columns))],
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  /// The title and the rows of a diagram.
  ///
  /// - Parameters:
  ///   - diagram: The diagram.
  ///   - room: The most rows.
  ///   - roomNextToAll: The rows that leave room for all else. If it has more, it leaves out blocks
  ///     of earlier moments.
  private static func rows(
    of diagram: MarbleDiagram?, room: Int, roomNextToAll: Int
  ) -> [String] {
    guard let diagram else { return [] }
    var blocks = diagram.blocks
    var note: [String] = []
    func lines() -> [String] { diagram.title + note + blocks.joined(separator: [""]) }
    while blocks.count > 1, lines().count > roomNextToAll {
      blocks.removeFirst()
      note = ["(\(counted(diagram.blocks.count - blocks.count, "earlier block")))"]
    }
    return lines().fitted(to: room, "in the diagram")
  }
}

extension [String] {
  /// As many lines as there's room for. If that isn't all, the last one counts the others.
  fileprivate func fitted(to room: Int, _ place: String) -> [String] {
    guard count > room, room > 0 else { return Array(prefix(Swift.max(0, room))) }
    return prefix(room - 1) + ["and \(count - room + 1) more \(place)"]
  }

  /// The same with the last lines, because the latest text is the one that a reader looks for.
  fileprivate func fittedAtItsEnd(to room: Int, _ place: String) -> [String] {
    guard count > room, room > 0 else { return Array(prefix(Swift.max(0, room))) }
    return ["(\(count - room + 1) more \(place))"] + suffix(room - 1)
  }
}

extension Playback.Command {
  /// Reads the next key that means something. A key is one byte, or an escape sequence.
  ///
  /// - Parameter nextByte: Reads a byte. If its argument is true, it doesn't wait for one. `nil` if
  ///   there is none.
  static func read(_ nextByte: (_ isAtOnce: Bool) -> UInt8?) -> Playback.Command {
    while let byte = nextByte(false) {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "l"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return .next
      case UInt8(ascii: "h"), 0x7F: return .back
      // Control and C, D or \.
      case UInt8(ascii: "q"), 3, 4, 0x1C: return .leave
      case 0x1B:
        guard let second = nextByte(true) else { return .leave }
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { continue }
        var sequence = ""
        while let next = nextByte(true) {
          sequence.append(Character(UnicodeScalar(next)))
          if (0x40...0x7E).contains(next) { break }
        }
        if let command = commands[sequence] { return command }
      default: continue
      }
    }
    return .leave
  }

  private static let commands: [String: Playback.Command] = [
    "C": .next, "B": .next, "D": .back, "A": .back, "H": .first, "1~": .first, "7~": .first,
    "F": .last, "4~": .last, "8~": .last,
  ]
}

extension Playback {
  /// Shows the run on the terminal until the reader leaves.
  mutating func run(_ program: Program) {
    guard let screen = TerminalScreen(program) else { return }
    defer { screen.end() }
    while true {
      show(program)
      let command = Command.read { isAtOnce in
        screen.nextByte(isAtOnce: isAtOnce) { show(program) }
      }
      if command == .leave { return }
      move(command)
    }
  }

  private func show(_ program: Program) {
    // The window may have another size now.
    let terminal = Terminal.standardOutput
    program.write(
      "\u{1B}[H\u{1B}[2J"
        + frame(columns: terminal.width ?? 80, rows: terminal.height, style: terminal.style))
  }
}
