import VirtualTime

/// How the marbles of a part are written, and what the key says about them.
///
/// A short text stands for itself. Letters and numbers of failures are given in the order of first
/// use, and no letter is also a short text of the part.
struct MarbleKey {
  private let symbols: [Marbles.Marble: String]
  private let style: TerminalStyle

  init(_ part: Marbles.Part, _ style: TerminalStyle = .plain) {
    self.style = style
    let marbles = part.marbles()
    let ownTexts = Set(marbles.compactMap(\.ownText))
    var letters = (0...).lazy.map(Self.letter).filter { !ownTexts.contains($0) }.makeIterator()
    var failureCount = 0
    var symbols: [Marbles.Marble: String] = [:]
    for marble in marbles {
      switch marble {
      case .start: symbols[marble] = "^"
      case .finished: symbols[marble] = "|"
      case .cancelled: symbols[marble] = "!"
      case .failure:
        failureCount += 1
        symbols[marble] = failureCount == 1 ? "#" : "#\(failureCount)"
      case .value, .network: symbols[marble] = marble.ownText ?? letters.next()
      }
    }
    self.symbols = symbols
  }

  /// The symbol of a marble.
  subscript(marble: Marbles.Marble) -> String { symbols[marble] ?? "?" }

  /// The symbol of a marble, in its colour.
  func painted(_ marble: Marbles.Marble) -> String { style.paint(self[marble], as: marble.role) }

  /// A line for each failure, each status, and each text that has a letter.
  ///
  /// - Parameters:
  ///   - marbles: The marbles to explain, in the order of first use.
  ///   - maximum: The width at which texts are cut; `nil` for whole texts.
  func lines(for marbles: [Marbles.Marble], width maximum: Int? = nil) -> [String] {
    var statuses: [(sign: String, role: TerminalStyle.Role, text: String)] = []
    var (failures, texts) = (statuses, statuses)
    for marble in marbles {
      switch marble {
      case .failure(let text):
        failures.append((self[marble], marble.role, "failed: \(text.quotedIfNeeded)"))
      case .network(.response(let status, _)):
        guard let reason = Timeline.Event.Network.reasons[status] else { continue }
        let entry = (sign: "\(status)", role: marble.role, text: reason)
        if !statuses.contains(where: { $0.sign == entry.sign }) { statuses.append(entry) }
      case .value(let text) where marble.ownText == nil:
        texts.append((self[marble], marble.role, text.quotedIfNeeded))
      case .start, .value, .network, .finished, .cancelled: break
      }
    }
    let entries = failures + statuses + texts
    let width = entries.map { $0.sign.count }.max() ?? 0
    return entries.map { sign, role, text in
      let padding = String(repeating: " ", count: width - sign.count)
      return "  \(style.paint(sign, as: role))\(padding)  "
        + text.cut(to: maximum.map { $0 - width - 4 })
    }
  }

  /// A to Z without I and O, which look like digits; then AA, AB and so on.
  private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")

  private static func letter(_ index: Int) -> String {
    let (round, place) = index.quotientAndRemainder(dividingBy: alphabet.count)
    return (round == 0 ? "" : letter(round - 1)) + String(alphabet[place])
  }
}

extension Marbles.Marble {
  /// The text that stands for it in a row; `nil` if it needs another symbol.
  var ownText: String? {
    switch self {
    case .value(let text): text.fitsIntoRow ? text : nil
    case .network(.response(let status, let bytes)):
      bytes.map { "\(status), \($0) B" } ?? "\(status)"
    case .network(.chunk(let bytes)): "\(bytes) B"
    case .network(.waiting): "waits"
    case .network(let event): event.description
    case .start, .finished, .failure, .cancelled: nil
    }
  }

  var role: TerminalStyle.Role {
    switch self {
    case .start: .start
    case .value, .network: .value
    case .finished: .finished
    case .failure: .failure
    case .cancelled: .cancelled
    }
  }

  /// Whether a comma separates it from another one that is this too.
  var isWords: Bool {
    switch self {
    case .value, .network, .failure: true
    case .start, .finished, .cancelled: false
    }
  }
}

extension String {
  /// Whether it's short, and nothing in it could be taken for a sign, a line, a gap between columns
  /// or the end of the text.
  fileprivate var fitsIntoRow: Bool {
    (1...12).contains(count) && quotedIfNeeded == self && !contains("  ")
      && unicodeScalars.allSatisfy(\.fitsIntoRow)
  }
}

extension Unicode.Scalar {
  /// Whether it takes one column, goes from left to right, and isn't a sign of a diagram.
  fileprivate var fitsIntoRow: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .dashPunctuation: return false
    default: break
    }
    // Latin, Greek, Cyrillic, Armenian; then punctuation, currencies, arrows, operators.
    let hasOneColumn = value < 0x590 || (0x2010...0x22FF).contains(value)
    return hasOneColumn && !properties.isEmojiPresentation
      && !"^|!#(),".unicodeScalars.contains(self)
  }
}
