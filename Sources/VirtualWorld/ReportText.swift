/// A number and a noun, such as `3 runs`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)" + (count == 1 ? "" : "s")
}

extension Sequence<String> {
  /// The words in lines of a width, with spaces between them. A word that's longer has a line of
  /// its own.
  ///
  /// - Parameters:
  ///   - width: The most characters of a line.
  ///   - indentation: What each line but the first begins with.
  package func folded(to width: Int, indentation: String = "") -> [String] {
    reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append((lines.isEmpty ? "" : indentation) + word)
      }
    }
  }
}
