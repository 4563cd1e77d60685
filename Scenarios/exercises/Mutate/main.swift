import Foundation

// Writes wrong variants of an answer: without one of its calls, with two calls swapped, with
// another number, or with another sign. mutants.sh runs those that compile.
//
// Usage: mutate FILE FOLDER
// Writes FOLDER/1.swift, FOLDER/2.swift and so on, and prints a line for each, which says what it
// changes.

guard CommandLine.arguments.count == 3 else {
  print("usage: mutate FILE FOLDER")
  exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[2])
let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
for (index, mutant) in Answer(text).mutants.enumerated() {
  let file = folder.appendingPathComponent("\(index + 1).swift")
  try mutant.text.write(to: file, atomically: true, encoding: .utf8)
  print(mutant.change)
}

/// The text of an answer. Only what stands below the comment that says so is changed.
struct Answer {
  private let text: [Character]
  private let start: Int
  /// The comments, which stay as they are.
  private let comments: IndexSet

  init(_ text: String) {
    self.text = Array(text)
    let head = text.range(of: "// Change only").map { text[..<$0.lowerBound].count } ?? 0
    start = self.text[head...].firstIndex(of: "\n") ?? head
    var comments = IndexSet()
    for index in self.text.indices.dropFirst() where self.text[index - 1...index] == ["/", "/"] {
      comments.insert(integersIn: index..<(self.text[index...].firstIndex(of: "\n") ?? index + 1))
    }
    self.comments = comments
  }

  /// A variant, and what makes it one.
  typealias Mutant = (text: String, change: String)

  var mutants: [Mutant] {
    let calls = calls
    let dropped = calls.map { mutant([($0, "")], "without \(shown($0))") }
    let swapped = zip(calls, calls.dropFirst()).filter { isFollowed($0, by: $1) }.map {
      mutant([($0, string($1)), ($1, string($0))], "\(shown($1)) before \(shown($0))")
    }
    return (dropped + swapped + numbers + signs).filter { !$0.change.contains(".eraseToAny") }
  }

  /// The calls of methods, such as `.map { $0 + 1 }`, from `.` to the last bracket.
  private var calls: [Range<Int>] {
    (start..<text.count).filter { !comments.contains($0) }.compactMap { index in
      // Otherwise it's something like `.main`. The first one may stand below the comment.
      guard text[index] == ".", text[index - 1] != "." else { return nil }
      let before = text[start..<index].last { !$0.isWhitespace } ?? ")"
      guard before.isIdentifier || ")}]>".contains(before) else { return nil }
      var end = index + 1
      while end < text.count, text[end].isIdentifier { end += 1 }
      let name = end
      while let bracket = text[end...].firstIndex(where: { $0 != " " }),
        "({".contains(text[bracket])
      {
        guard let close = close(of: bracket) else { return nil }
        end = close + 1
      }
      return end > name ? index..<end : nil
    }
  }

  /// The bracket that closes one.
  private func close(of open: Int) -> Int? {
    var depth = 0
    return text.indices[open...].first { index in
      depth += "({[".contains(text[index]) ? 1 : ")}]".contains(text[index]) ? -1 : 0
      return depth == 0
    }
  }

  private func isFollowed(_ call: Range<Int>, by next: Range<Int>) -> Bool {
    next.lowerBound >= call.upperBound
      && text[call.upperBound..<next.lowerBound].allSatisfy(\.isWhitespace)
  }

  /// Each number, with one more and one less.
  private var numbers: [Mutant] {
    var mutants: [Mutant] = []
    var index = start
    while index < text.count {
      let end = text[index...].firstIndex { !$0.isWholeNumber } ?? text.count
      let before = text[index - 1]
      if end > index, !comments.contains(index), !before.isIdentifier, before != "$",
        let number = Int(string(index..<end))
      {
        for other in [number + 1, number - 1] where other >= 0 {
          mutants.append(mutant([(index..<end, "\(other)")], "\(other) instead of \(number)"))
        }
      }
      index = max(end, index + 1)
    }
    return mutants
  }

  private var signs: [Mutant] {
    let others = [
      "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "+": "-", "-": "+",
      "*": "/", "/": "*", "&&": "||", "||": "&&", "true": "false", "false": "true",
    ]
    var words: [Range<Int>] = []
    var index = start
    while index < text.count {
      let end = text[index...].firstIndex(where: \.isWhitespace) ?? text.count
      words.append(index..<end)
      index = end + 1
    }
    return words.compactMap { word in
      others[string(word)].map { mutant([(word, $0)], "\($0) instead of \(string(word))") }
    }
  }

  private func mutant(_ changes: [(Range<Int>, String)], _ change: String) -> Mutant {
    var changed = text
    for (range, new) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      changed.replaceSubrange(range, with: new)
    }
    let line = text[..<changes[0].0.lowerBound].count { $0 == "\n" } + 1
    return (String(changed), "\(change), line \(line)")
  }

  private func string(_ range: Range<Int>) -> String { String(text[range]) }

  /// A call on one line.
  private func shown(_ range: Range<Int>) -> String {
    string(range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension Character {
  fileprivate var isIdentifier: Bool { isLetter || isNumber || self == "_" }
}
