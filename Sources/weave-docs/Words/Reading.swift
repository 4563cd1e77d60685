/// How the check reads a file.
enum Reading {
  case page
  case source(withStrings: Bool)
  case script
  case help

  /// - Returns: `nil` if the check doesn't read the file.
  init?(_ path: String) {
    let folder = RelativePath.folder(of: path)
    if path.hasSuffix(".md") && (folder.isEmpty || path.hasPrefix("docs/")) {
      self = .page
    } else if path.hasSuffix(".swift") {
      // Only these have strings that people read. Those in tests can be wrong on purpose.
      let isProgram = path.hasPrefix("Sources/") || path.hasPrefix("Scenarios/")
      self = .source(withStrings: isProgram && !path.contains("/Tests/"))
    } else if path == "Makefile" || path == ".ci/run"
      || folder == "Tests" && (path.hasSuffix(".sh") || path.hasSuffix(".supp"))
    {
      self = .script
    } else if path.hasPrefix("Tests/ScenarioTests/Snapshots/") && path.hasSuffix("/help.txt") {
      self = .help
    } else {
      return nil
    }
  }

  func passages(in text: String, path: String) -> [Passage] {
    let bytes = Array(text.utf8)
    switch self {
    case .page: return Self.prose(of: text.lines, path: path)
    case .source(let withStrings):
      let source = SwiftText(bytes)
      let comments = source.comments.flatMap { MarkdownReader.passages(in: $0, of: .comment) }
      // A string of one word is a name or a value.
      let messages = source.strings.filter { $0.text.contains(where: Byte.isSpace) }
      return withStrings ? comments + messages : comments
    case .script:
      return ScriptText.comments(in: bytes.numberedLines)
        .flatMap { MarkdownReader.passages(in: $0, of: .comment) }
    case .help: return HelpText.passages(in: bytes.numberedLines)
    }
  }

  /// The prose outside woven blocks: what they show is checked where it comes from.
  private static func prose(of lines: [String], path: String) -> [Passage] {
    PageParser.parse(lines, path: path).page.pieces.flatMap { piece in
      switch piece {
      case .prose(let lines, let firstLine):
        MarkdownReader.passages(
          in: lines.enumerated().map {
            NumberedLine(number: firstLine + $0, bytes: Array($1.utf8)[...])
          }, of: .page)
      case .block: [Passage]()
      }
    }
  }
}
