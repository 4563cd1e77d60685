/// A declaration in a Swift source.
struct SwiftDeclaration {
  /// The types around it, such as `Timeline.Lane`; empty outside of types.
  let owner: String
  /// The name, with its labels if it has any.
  let name: String
  let line: Int
  let isType: Bool
  let isPublic: Bool
  let isStatic: Bool
  /// The lines of its documentation comment, without slashes.
  let comment: [String]

  /// The name with those of the types around it.
  var qualifiedName: String { owner.isEmpty ? name : "\(owner).\(name)" }

  /// The first sentence of the comment; `nil` if there is none.
  var firstSentence: String? {
    let paragraph = comment.prefix { !$0.isEmpty && !$0.hasPrefix("- ") && !$0.hasPrefix("```") }
      .joined(separator: " ")
    guard !paragraph.isEmpty else { return nil }
    let end = paragraph.firstMatch(of: /\.(?= [A-Z`])/)?.range.upperBound
    return String(paragraph[..<(end ?? paragraph.endIndex)])
      .replacing("fileID:filePath:line:column:", with: "")
      // The symbol that a link names.
      .replacing(/``(?:\w+\/)*([^`]+)``/) { "`\($0.1)`" }
  }
}
