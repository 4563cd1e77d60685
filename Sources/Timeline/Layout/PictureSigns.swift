/// The sign of an event in a picture, and how far it reaches to both sides of its column.
enum PictureSign: Hashable {
  /// A triangle that points up.
  case start
  /// Small text at the upper right of a mark.
  case demand(String)
  /// A pill with text in it.
  case value(String)
  /// A box with text in it.
  case response(String)
  /// A box without colour, with text in it.
  case printed(String)
  /// A bar.
  case finished
  /// A cross with text at its upper right.
  case failure(String)
  /// A hollow square.
  case cancelled

  /// Makes the sign of an event.
  init(_ kind: Timeline.Event.Kind, letters: PictureLetters) {
    switch kind {
    case .subscription, .network(.started), .network(.sent): self = .start
    case .request(let demand): self = .demand(demand.max.map { "+\($0)" } ?? "∞")
    case .value(let text): self = .value(letters[text])
    case .finished, .network(.finished): self = .finished
    case .failure(let text), .network(.failed(let text)): self = .failure(letters[text])
    case .cancelled, .network(.cancelled): self = .cancelled
    case .note(let text), .printed(let text): self = .printed(letters[text])
    case .network(.waiting): self = .printed("waits")
    case .network(.response(let status, _)): self = .response(letters["\(status)"])
    case .network(.chunk(let bytes)): self = .response(letters["\(bytes) B"])
    }
  }

  /// The distance that the sign reaches to the left of its column.
  var left: Pixels {
    switch self {
    case .start: 6.5
    case .demand: 0
    case .value(let text), .response(let text), .printed(let text): Self.width(of: text).half
    case .finished: 2
    case .failure, .cancelled: 7
    }
  }

  /// The distance that the sign reaches to the right of its column.
  var right: Pixels {
    switch self {
    case .failure(let text): 9 + .monospaced(text.cells, size: 11)
    case .demand(let text): .monospaced(text.cells, size: 11)
    default: left
    }
  }

  /// The place of a demand's text, to the right of the column.
  var demandOffset: Pixels {
    switch self {
    case .start: 8
    default: right + 2
    }
  }

  /// The width of a pill or a box with this text.
  static func width(of text: String) -> Pixels {
    max(20, .monospaced(text.cells, size: 11) + 11)
  }
}

/// The letters that stand for texts that are too long for a mark, in order of first use.
struct PictureLetters {
  /// The texts and their letters, in order.
  private(set) var entries: [(letter: String, text: String)] = []
  private var letters: [String: String] = [:]

  /// The width of the longest text in a mark, in characters.
  static let limit = 8

  /// Finds the texts of these events that need a letter.
  init(_ events: some Sequence<Timeline.Event>) {
    for event in events {
      let text: String? =
        switch event.kind {
        case .value(let text), .failure(let text), .note(let text), .printed(let text),
          .network(.failed(let text)):
          text
        case .network(.response(let status, _)): "\(status)"
        case .network(.chunk(let bytes)): "\(bytes) B"
        default: nil
        }
      guard let text, text.quotedIfNeeded.cells > Self.limit, letters[text] == nil else { continue }
      let letter = MarbleLetters.letter(entries.count)
      letters[text] = letter
      entries.append((letter, text.quotedIfNeeded))
    }
  }

  /// The text to show in a mark: the text itself, or its letter.
  subscript(text: String) -> String { letters[text] ?? text.quotedIfNeeded }
}
