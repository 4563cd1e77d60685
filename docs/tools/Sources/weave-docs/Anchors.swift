/// The anchors in a Markdown text that a link can name.
///
/// Headings get the names that GitHub gives them: lower case, hyphens for spaces, no punctuation,
/// and a number if a heading repeats.
enum Anchors {
  static func names(in lines: [String]) -> Set<String> {
    var names = Set<String>()
    var fences = FenceReader()
    for line in lines where !fences.isCode(line) {
      if line.hasPrefix("#"), let heading = line.wholeMatch(of: /#{1,6} +(.*?)(?: +#+)? */) {
        let name = name(of: String(heading.1))
        let unique = (0...).lazy.map { $0 == 0 ? name : "\(name)-\($0)" }
          .first { !names.contains($0) }
        names.insert(unique ?? name)
      } else if line.contains("=\"") {
        // Hand-made ones.
        names.formUnion(line.matches(of: /\s(?:id|name)="([^"]*)"/).map { String($0.1) })
      }
    }
    return names
  }

  /// Of a link in a heading, only the title counts.
  static func name(of heading: String) -> String {
    let title = heading.replacing(/\]\([^)]*\)/, with: "]").lowercased()
    return String(
      title.map { $0 == " " ? "-" : $0 }
        .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
  }
}
