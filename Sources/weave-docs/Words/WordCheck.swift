/// The check that the texts of a package keep to the rules of the style page.
struct WordCheck {
  private(set) var fileCount = 0
  private(set) var problems: [Problem] = []

  init(_ tree: any FileTree) {
    let style = StylePage(tree)
    guard style.problems.isEmpty else {
      problems = style.problems.sorted()
      return
    }
    let lexicon = Lexicon(style.entries)
    let sentences = SentenceRules(longest: style.longestSentence)
    for (path, reading) in Self.files(of: tree) {
      guard let text = text(of: path, in: tree) else { continue }
      fileCount += 1
      if case .source = reading { problems += CommentWidth.problems(in: text, path: path) }
      for passage in reading.passages(in: text, path: path) {
        let (tokens, rest) = Tokenizer.tokens(of: passage)
        for (entry, line) in lexicon.findings(in: tokens, of: passage.text) {
          let message = "\"\(entry.phrase)\": \(entry.advice ?? "")"
          problems.append(Location(path: path, line: line).problem(message))
        }
        if passage.hasSentences {
          problems += sentences.problems(in: tokens, rest: rest, of: passage.text, path: path)
        }
      }
    }
    problems = Set(problems).sorted()
  }

  private mutating func text(of path: String, in tree: any FileTree) -> String? {
    do throws(FileFailure) {
      return try tree.text(of: path)
    } catch {
      problems.append(Location(path: path, line: 1).problem("it can't be read: \(error.reason)"))
      return nil
    }
  }

  /// The files to read, without links to others of them.
  private static func files(of tree: any FileTree) -> [(path: String, reading: Reading)] {
    let paths =
      tree.names(in: "").filter { tree.kind(of: $0) == .file } + [".ci/run"]
      + ["Scenarios", "Sources", "Tests", "docs"].flatMap { tree.files(below: $0, suffix: "") }
    let files = paths.compactMap { path in Reading(path).map { (path: path, reading: $0) } }
    let known = Set(files.map(\.path))
    return files.filter { file in
      guard let target = tree.target(ofLink: file.path) else { return true }
      let path = RelativePath.resolve(target, in: RelativePath.folder(of: file.path))
      return path.map { !known.contains($0) } ?? true
    }
  }
}
