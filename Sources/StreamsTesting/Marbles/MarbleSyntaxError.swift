/// A marble string that can't be read, or that doesn't fit its use.
///
/// The description has one line with the problem, and then the string with a caret below the
/// character:
///
/// ```
/// can't read the marbles: the group isn't closed, so add `)`
///   -a-(b
///      ^
/// ```
public struct MarbleSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, and what to do.
  public let problem: String

  /// The string.
  public let marbles: String

  /// The index of the character, from 0.
  public let column: Int

  /// The problem, the string and the caret.
  public var description: String {
    // A line break in the string would move the caret to another line.
    let line = String(marbles.map { $0.isWhitespace ? " " : $0 })
    let caret = String(repeating: " ", count: column) + "^"
    return "can't read the marbles: \(problem)\n  \(line)\n  \(caret)"
  }
}
