/// The key at the end of the marble diagrams of a run, which says what each letter means.
struct MarbleKey {
  /// The lines above the key.
  let diagrams: [String]
  /// The lines of the key that say what a letter or a failure is, such as `  A   200 OK`.
  private let entries: [(sign: String, line: String)]

  /// - Returns: `nil` if the lines don't end in a key.
  init?(_ lines: [String]) {
    guard let start = lines.lastIndex(where: { $0.hasPrefix("Not to scale: ") }) else { return nil }
    diagrams = Array(lines[..<start])
    entries = lines[start...].compactMap { line in
      line.wholeMatch(of: /\ {2}([A-Za-z#]\d*)\ +\S.*/).map { (String($0.1), line) }
    }
  }

  /// The lines of the key that a part's diagram needs.
  func lines(for part: [String]) -> [String] {
    let signs = Self.signs(in: part)
    return entries.filter { signs.contains($0.sign) }.map(\.line)
  }

  /// The letters and failures in the rows of a diagram, without the names of its lanes.
  private static func signs(in part: [String]) -> Set<String> {
    var signs: Set<String> = []
    var firstColumn = 0
    for line in part {
      if line.hasPrefix(" ") {
        // The times, which begin above the first column.
        firstColumn = line.prefix { $0 == " " }.count
      } else if !line.hasPrefix("# ") {
        signs.formUnion(
          line.dropFirst(firstColumn).matches(of: /[A-Za-z#]\d*/).map { String($0.0) })
      }
    }
    return signs
  }
}
