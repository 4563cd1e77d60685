import Foundation

/// Finds the links in Markdown, including those that continue on the next line.
///
/// Code blocks and code spans have no links.
struct LinkScanner {
  private let paragraph: Paragraph
  /// The text with code blanked out, character for character.
  private let prose: [Character]
  private var links: [Link] = []

  private var text: [Character] { paragraph.text }

  static func links(in lines: [String]) -> [Link] {
    Paragraph.paragraphs(in: lines).flatMap { paragraph in
      var scanner = LinkScanner(paragraph)
      return scanner.scan()
    }
  }

  private init(_ paragraph: Paragraph) {
    self.paragraph = paragraph
    prose = paragraph.text(replacingCodeWith: " ")
  }

  private mutating func scan() -> [Link] {
    for index in prose.indices where !isEscaped(index) {
      switch prose[index] {
      case "]" where isNext("(", after: index): inlineLink(closedAt: index)
      case "]" where isNext(":", after: index): reference(closedAt: index)
      case "\"" where isAfter("href=", index) || isAfter("src=", index):
        add(title: "", target: text[(index + 1)...].prefix { $0 != "\"" }, at: index)
      default: break
      }
    }
    return links
  }

  /// `[title](target)`, `[title](<target>)`, `[title](target "tooltip")`.
  private mutating func inlineLink(closedAt end: Int) {
    guard let start = bracket(closedAt: end) else { return }
    var target = prose[(end + 2)...].drop { $0.isWhitespace }
    if target.first == "<" {
      target = target.dropFirst().prefix { $0 != ">" }
    } else {
      var depth = 0
      target = target.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth >= 0 && !character.isWhitespace
      }
    }
    let title = text[(start + 1)..<end].map { $0 == "\n" ? " " : $0 }
    add(title: String(title), target: target, at: start)
  }

  /// `[label]: target` at the start of a line.
  private mutating func reference(closedAt end: Int) {
    guard let start = bracket(closedAt: end),
      prose[..<start].last(where: { $0 != " " }) ?? "\n" == "\n"
    else { return }
    let target = prose[(end + 2)...].drop { $0 == " " || $0 == "<" }
      .prefix { !$0.isWhitespace && $0 != ">" }
    add(title: "", target: target, at: start)
  }

  private mutating func add(title: String, target: ArraySlice<Character>, at index: Int) {
    guard !target.isEmpty else { return }
    let line = paragraph.lineIndex(at: index)
    links.append(Link(title: title, target: String(target), lineIndex: line))
  }

  private func bracket(closedAt end: Int) -> Int? {
    var depth = 0
    for index in prose[..<end].indices.reversed() where !isEscaped(index) {
      if prose[index] == "]" { depth += 1 }
      if prose[index] == "[" { depth -= 1 }
      if depth < 0 { return index }
    }
    return nil
  }

  private func isNext(_ character: Character, after index: Int) -> Bool {
    index + 1 < prose.count && prose[index + 1] == character
  }

  private func isAfter(_ text: String, _ index: Int) -> Bool {
    prose[..<index].suffix(text.count).elementsEqual(text)
  }

  private func isEscaped(_ index: Int) -> Bool { index > 0 && prose[index - 1] == "\\" }
}
