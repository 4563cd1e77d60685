/// Code without its notes, and the notes as a numbered list to put below it.
///
/// A comment `// note: Why.` belongs to the line of code after it. More lines of the same note are
/// comments with at least two spaces after their slashes.
struct NumberedNotes {
  private(set) var code: [String] = []
  private(set) var notes: [String] = []

  /// - Returns: `nil` if a note has no line of code after it.
  init?(_ lines: [String]) {
    var isPending = false
    var isInNote = false
    for line in lines {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("// note: ") {
        guard !isPending else { return nil }
        notes.append(text.dropFirst("// note:".count).trimmed)
        (isPending, isInNote) = (true, true)
      } else if isInNote && text.hasPrefix("//  ") {
        notes[notes.count - 1] += " " + text.dropFirst(2).trimmed
      } else {
        isInNote = false
        let isCode = !text.isEmpty && !text.hasPrefix("//")
        code.append(isPending && isCode ? "\(line)  // (\(notes.count))" : line)
        isPending = isPending && !isCode
      }
    }
    if isPending { return nil }
  }

  /// The list, ready to follow the code block; empty if there are no notes.
  var list: [String] {
    guard !notes.isEmpty else { return [] }
    return [""] + notes.enumerated().map { "\($0 + 1). \($1)" }
  }
}
