/// Tells which lines of a page a reader sees before unfolding anything. It's asked line by line.
struct Folds {
  private var depth = 0

  /// Whether a line is open. The lines that begin and end a fold aren't.
  mutating func isOpen(_ line: String) -> Bool {
    let wasOpen = depth == 0
    if line.contains("<details>") { depth += 1 }
    if line.hasPrefix("</details>") { depth -= 1 }
    return wasOpen && depth == 0
  }
}
