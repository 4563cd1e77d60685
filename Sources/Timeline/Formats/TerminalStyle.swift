/// How a text for readers looks on a terminal: with colours, or as it is in a file.
///
/// The colours are those of the terminal's own palette, so they fit its background.
package struct TerminalStyle: Hashable, Sendable {
  private let hasColours: Bool

  /// Plain characters only.
  package static let plain = TerminalStyle(hasColours: false)
  /// Escape sequences that set and reset colours.
  package static let coloured = TerminalStyle(hasColours: true)

  /// What a part of a text is.
  enum Role: String {
    case title = "1"
    case time = "2"
    case start = "32"
    case value = "36"
    case finished = "1;34"
    case failure = "31"
    case cancelled = "33"
    case plain = ""
  }

  /// Returns a text in the colour of its role.
  func paint(_ text: String, as role: Role) -> String {
    guard hasColours, role != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m"
  }
}

extension Timeline.Event.Kind {
  var role: TerminalStyle.Role {
    switch self {
    case .subscription, .network(.started): .start
    case .value, .network(.waiting), .network(.sent), .network(.response), .network(.chunk): .value
    case .finished, .network(.finished): .finished
    case .failure, .network(.failed): .failure
    case .cancelled, .network(.cancelled): .cancelled
    case .request: .time
    case .note, .printed: .plain
    }
  }
}
