import Foundation
import Timeline
import VirtualTime

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
  private let earlier: Timeline.Recording
  private let moments: [Moment]

  /// The position of the moment that's shown.
  private(set) var position = 0

  /// Begins at the first moment.
  ///
  /// - Parameters:
  ///   - recording: The parts to step through.
  ///   - earlier: Those before them, whose texts have the first letters.
  init(_ recording: Timeline.Recording, after earlier: Timeline.Recording = .init(parts: [])) {
    self.recording = recording
    self.earlier = earlier
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

  /// The current moment: the marbles so far, the events of the moment as sentences, and the keys.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal.
  ///   - rows: Its height. If there isn't enough room, the legend is left out, and then sentences.
  ///   - style: Its colours.
  func frame(columns: Int, rows: Int, style: TerminalStyle) -> String {
    let moment = moments[position]
    let part = recording.parts[moment.part]
    let shown = Timeline.Recording(parts: [
      Timeline.Recording.Part(
        title: part.title, events: part.events.filter { $0.time <= moment.time })
    ])
    let before = Timeline.Recording(parts: earlier.parts + recording.parts[..<moment.part])
    var marbles = shown.marbles(width: columns, in: style, after: before).split(separator: "\n\n")
    let legend = marbles.count > 1 ? marbles.removeLast().split(separator: "\n").dropFirst() : []
    let sentences = zip(part.events, recording.sentences(ofPart: moment.part))
      .filter { $0.0.time == moment.time }
      .map { "\(moment.time): \($0.1)".prefix(columns) }
    let keys = "moment \(position + 1) of \(moments.count)   ← → step   Home End   q leaves"
    let diagram = marbles.joined(separator: "\n\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    // Two empty lines, and the keys.
    let room = max(1, rows - diagram.count - 3)
    let hidden = sentences.count > room ? sentences.count - room + 1 : 0
    var blocks = [diagram, sentences.dropLast(hidden) + (hidden > 0 ? ["and \(hidden) more"] : [])]
    if sentences.count + legend.count + 1 <= room { blocks.insert(Array(legend), at: 1) }
    return (blocks + [[keys.prefix(columns)]]).map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
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
