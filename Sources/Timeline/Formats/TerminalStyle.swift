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
  package enum Role {
    case title
    /// What's less important than the text next to it, such as a time.
    case time
    case start
    case value
    case finished
    case failure
    case cancelled
    /// A line that another text doesn't have.
    case added
    /// A line that only another text has.
    case removed
    case plain

    /// The numbers of its escape sequence; `nil` for none.
    fileprivate var code: String? {
      switch self {
      case .title: "1"
      case .time: "2"
      case .start, .added: "32"
      case .value: "36"
      case .finished: "1;34"
      case .failure, .removed: "31"
      case .cancelled: "33"
      case .plain: nil
      }
    }
  }

  /// Returns a text in the colour of its role.
  package func paint(_ text: String, as role: Role) -> String {
    guard hasColours, let code = role.code, !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

extension Timeline.Event.Kind {
  package var role: TerminalStyle.Role {
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
