/// The sign of an event in a picture, and how far it reaches from the middle of its column and row.
///
/// Signs stand on their instant. Words run from there to the right, so they don't stretch time.
enum PictureSign: Hashable {
  /// A triangle that points up.
  case start
  /// Small text at the upper right of a mark.
  case demand(String)
  /// A pill of words, with a spine for each value that it's made of. The newest spine stands on the
  /// instant, and the others to the left of it.
  case value([String], [ValueTint])
  /// A box with words in it, and a bar behind it if the response is complete.
  case response(String, isComplete: Bool)
  /// Nothing: it's shown by the mark that it's a part of.
  case part
  /// Printed lines, below those that were printed before.
  case printed(String, ValueTint?)
  /// A bar.
  case finished
  /// A cross with words at its upper right.
  case failure([String])
  /// A hollow square.
  case cancelled

  /// Makes the sign of an event.
  ///
  /// - Parameters:
  ///   - kind: The kind of event.
  ///   - tints: The tints of the values that it's made of, oldest first.
  ///   - isBorn: For a failure, whether it's the first one with its words.
  ///   - parts: The events that are a part of it.
  init(
    _ kind: Timeline.Event.Kind, tints: [ValueTint], isBorn: Bool, parts: [Timeline.Event.Kind]
  ) {
    switch kind {
    case .subscription, .network(.started), .network(.sent): self = .start
    case .request(let demand): self = .demand(demand.max.map { "+\($0)" } ?? "∞")
    case .value(let text): self = .value(text.quotedIfNeeded.inShortLines, tints)
    case .finished, .network(.finished): self = .finished
    case .failure(let text), .network(.failed(let text)):
      self = .failure(isBorn && !text.isEmpty ? text.quotedIfNeeded.inShortLines : [])
    case .cancelled, .network(.cancelled): self = .cancelled
    case .note(let text), .printed(let text): self = .printed(text.quotedIfNeeded, tints.last)
    case .network(.waiting): self = .response("waits", isComplete: false)
    case .network(.response), .network(.chunk):
      let words = ([kind] + parts).compactMap(\.inResponse).joined(separator: ", ")
      self = .response(words, isComplete: parts.contains(.network(.finished)))
    }
  }

  /// The width of a spine, and half of it.
  static let spine: Pixels = 7
  static let halfSpine: Pixels = 3.5
  /// The distance from one spine to the next.
  static let spinePitch: Pixels = 8
  /// The height of a line of words.
  static let line: Pixels = 14
  /// The size of words in marks.
  static let size = 11

  /// The distance that the sign reaches to the left of its column.
  var left: Pixels {
    switch self {
    case .start: 6.5
    case .demand: 0
    case .value(_, let tints): Self.halfSpine + max(0, tints.count - 1) * Self.spinePitch
    case .response: Self.halfSpine
    case .part: 0
    case .printed: 1.5
    case .finished: 2
    case .failure, .cancelled: 7
    }
  }

  /// The distance that the sign reaches to the right of its column.
  var right: Pixels {
    switch self {
    case .start: 6.5
    case .demand(let text): .monospaced(text.cells, size: Self.size)
    case .value(let lines, let tints):
      Self.width(of: lines) + (tints.isEmpty ? 7.5 : 13)
    case .response(let text, let isComplete): Self.width(of: [text]) + (isComplete ? 10 : 7.5)
    case .part: 0
    // Its words may stand above or below those of the next ones.
    case .printed: 1.5
    case .finished: 2
    case .failure(let lines): lines.isEmpty ? 7 : 9 + Self.width(of: lines)
    case .cancelled: 7
    }
  }

  /// The distance that the sign reaches up from the middle of its row.
  var above: Pixels {
    switch self {
    case .failure(let lines): lines.count > 1 ? lines.count * Self.line - 1 : 10
    default: below
    }
  }

  /// The distance that the sign reaches down from the middle of its row.
  var below: Pixels {
    switch self {
    case .start: 6
    case .demand, .part: 0
    case .value(let lines, _): 11 + max(0, lines.count - 1) * (Self.line.half)
    case .response, .finished: 10
    case .printed, .failure, .cancelled: 7
    }
  }

  /// The place of a demand's text, to the right of the column.
  var demandOffset: Pixels {
    switch self {
    case .start: 8
    default: right + 2
    }
  }

  /// The width of words in a mark.
  static func width(of lines: [String]) -> Pixels {
    .monospaced(lines.map(\.cells).max() ?? 0, size: size)
  }
}

extension Timeline.Event.Kind {
  /// The words in the box of a response.
  fileprivate var inResponse: String? {
    switch self {
    case .network(.response(let status, let bytes)):
      bytes.map { "\(status), \($0) B" } ?? "\(status)"
    case .network(.chunk(let bytes)): "\(bytes) B"
    default: nil
    }
  }
}

extension String {
  /// The text in one line, or in several if it's long, each about as long as the others. Broken
  /// after a comma or a space, or before a capital letter, if possible.
  var inShortLines: [String] {
    let length = cells
    if length <= 16 { return [self] }
    if length > 36 { return wrapped(at: min(40, max(20, (length + 2) / 3))) }
    let characters = Array(self)
    // The place where both lines are short. After a comma, they may differ by more.
    let breaks = Self.breaks(in: characters).map { place in
      let longer = max(String(characters[..<place]).cells, String(characters[place...]).cells)
      return (
        place: place, length: longer - (characters[..<place].suffix(2) == [",", " "] ? 4 : 0)
      )
    }
    guard let best = breaks.min(by: { $0.length < $1.length }), best.length <= 22 else {
      return wrapped(at: 18)
    }
    return [characters[..<best.place], characters[best.place...]].map {
      String($0).withoutLastSpaces
    }
  }

  /// The text in lines of at most this many characters.
  func wrapped(at width: Int) -> [String] {
    var lines: [String] = []
    var line: [Character] = []
    var used = 0
    for character in self {
      line.append(character)
      used += String(character).cells
      guard used > width, line.count > 1 else { continue }
      let end = Self.lastBreak(in: line) ?? line.count - 1
      lines.append(String(line[..<end]))
      line.removeFirst(end)
      used = String(line).cells
    }
    if !line.isEmpty || lines.isEmpty { lines.append(String(line)) }
    return lines.map { $0.hasSuffix(" ") && $0.contains { $0 != " " } ? $0.withoutLastSpaces : $0 }
  }

  private var withoutLastSpaces: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  /// The places where a text may be broken: after spaces and signs, and before capital letters.
  private static func breaks(in text: [Character]) -> [Int] {
    guard text.count > 1 else { return [] }
    return (1..<text.count).filter { place in
      let (last, next) = (text[place - 1], text[place])
      return last == " " && next != " " || next.isUppercase && last.isLowercase
        || "/,:".contains(last) && next != " "
    }
  }

  /// Where a line that's one character too long breaks; `nil` if it has no good place.
  private static func lastBreak(in line: [Character]) -> Int? {
    let places = breaks(in: line)
    return places.last { line[$0 - 1] == " " } ?? places.last
  }
}
