/// The rule that a page of the course links a term of the glossary where its open text first uses
/// it, unless the page teaches the term, or a page that it names in "Before this:" does.
///
/// The glossary says what teaches a term: the pages that its entry links. Below a heading there,
/// `<!-- not: completion handler -->` names phrases that mean something else.
enum Terms {
  static let glossary = "docs/glossary.md"

  struct Term {
    let anchor: String
    let words: [String]
    let exceptions: [[String]]
    /// The paths of the pages that teach it.
    let pages: Set<String>

    /// Whether a list of words begins with the term, perhaps in the plural.
    func begins(_ words: ArraySlice<Prose.Word>) -> Bool {
      func begins(with phrase: [String]) -> Bool {
        let start = words.prefix(phrase.count).map(\.text)
        return start.count == phrase.count && start.dropLast() == phrase.dropLast()
          && ["", "s", "es"].contains { phrase[phrase.count - 1] + $0 == start[phrase.count - 1] }
      }
      return begins(with: self.words) && !exceptions.contains(where: begins)
    }
  }

  static func problems(in pages: [WovenPage]) -> [Problem] {
    guard let terms = pages.first(where: { $0.path == glossary }).map(terms(in:)) else { return [] }
    return pages.filter { $0.path.hasPrefix("docs/scenarios/") }.flatMap { page in
      let folder = RelativePath.folder(of: page.path)
      let before = Effort(page: page.lines.map(\.text)).pagesBefore.map { "\(folder)/\($0).md" }
      let words = Prose.words(of: page)
      return terms.filter { $0.pages.isDisjoint(with: before + [page.path]) }.compactMap { term in
        problem(of: term, in: words, on: page.path)
      }
    }
  }

  /// The first use decides. The title of a link to something else isn't one, because it can't have
  /// another link.
  private static func problem(of term: Term, in words: [Prose.Word], on page: String) -> Problem? {
    let folder = RelativePath.folder(of: page)
    func isLinked(_ target: String) -> Bool {
      let (path, anchor) = Link(title: "", target: target, lineIndex: 0).parts
      let file = RelativePath.resolve(path, in: folder)
      return file == glossary ? anchor == term.anchor : file.map(term.pages.contains) ?? false
    }
    let first = words.indices.first { index in
      term.begins(words[index...]) && words[index].target.map(isLinked) ?? true
    }
    guard let first, words[first].target == nil else { return nil }
    let use = words[first..<first + term.words.count].map(\.text).joined(separator: " ")
    let link = RelativePath.link(from: page, to: glossary)
    return Location(path: page, line: words[first].line).problem(
      "the page uses \"\(use)\" here first: link it, as in [\(use)](\(link)#\(term.anchor))")
  }

  private static func terms(in page: WovenPage) -> [Term] {
    let lines = page.lines.map(\.text)
    let starts = lines.indices.filter { lines[$0].hasPrefix("## ") }
    let folder = RelativePath.folder(of: glossary)
    return zip(starts, starts.dropFirst() + [lines.count]).map { start, end in
      let (heading, entry) = (String(lines[start].dropFirst(3)), Array(lines[start + 1..<end]))
      let exceptions = entry.compactMap { $0.wholeMatch(of: /<!-- not: (.*) -->/)?.1 }
        .flatMap { $0.split(separator: ", ") }
      let links = LinkScanner.links(in: entry).filter { $0.isRelative && !$0.parts.path.isEmpty }
      return Term(
        anchor: Anchors.name(of: heading), words: Prose.words(of: heading),
        exceptions: exceptions.map { Prose.words(of: String($0)) },
        pages: Set(links.compactMap { RelativePath.resolve($0.parts.path, in: folder) }))
    }
  }
}
