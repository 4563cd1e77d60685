/// The rule that a test in parentheses is written with its suite, as in
/// `(SinkTests.aValueArrives)`.
///
/// Only then can `TestNames` find out whether it exists. A name with humps counts as a test's if
/// the parentheses hold nothing but code, begin with "Test:", or link a file of tests.
enum TestsInParentheses {
  static func problems(in pages: [WovenPage]) -> [Problem] {
    pages.flatMap { page in
      Paragraph.paragraphs(in: page.lines.map(\.text)).flatMap { paragraph in
        names(in: paragraph).map { name, index in
          let line = page.lines[paragraph.lineIndex(at: index)].origin
          return Location(path: page.path, line: line).problem(
            "\(name) in parentheses reads as a test: write it as Suite.\(name), or say what it is")
        }
      }
    }
  }

  /// The names without a suite, and where they begin in the paragraph.
  private static func names(in paragraph: Paragraph) -> [(name: String, index: Int)] {
    let text = paragraph.text(replacingCodeWith: "`")
    return parentheses(in: text).filter { isAboutTests(text[$0]) }.flatMap { range in
      paragraph.codeSpans.filter { range.contains($0.lowerBound) }.compactMap { span in
        let name = String(paragraph.text[span]).trimming { $0 == "`" }
        guard name.wholeMatch(of: /[a-z]\w*[A-Z]\w*/) != nil else { return nil }
        return (name, span.lowerBound)
      }
    }
  }

  /// The ranges between parentheses, without those of links.
  private static func parentheses(in text: [Character]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var open: [Int] = []
    for index in text.indices where index == 0 || text[index - 1] != "\\" {
      if text[index] == "(" { open.append(index) }
      guard text[index] == ")", let start = open.popLast() else { continue }
      if start == 0 || text[start - 1] != "]" { ranges.append(start + 1..<index) }
    }
    return ranges
  }

  /// - Parameter text: The text between the parentheses, with backticks for code.
  private static func isAboutTests(_ text: ArraySlice<Character>) -> Bool {
    let words = String(text)
      .replacing(/\[[^\]]*\]\(([^)]*)\)/) { $0.1.contains("Tests") ? "and" : "link" }
      .split { $0.isWhitespace || $0 == "," || $0 == "`" }
    let isLabelled = words.first == "Test:" || words.first == "Tests:"
    return isLabelled || words.allSatisfy { ["and", "or", "in"].contains($0) }
  }
}
