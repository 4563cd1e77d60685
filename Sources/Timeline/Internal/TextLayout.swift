// Fits texts of the user into lines and columns.

extension String {
  /// The text on one line, for readers. Characters that would break or bend the line are escaped.
  package var onOneLine: String { escaping { $0.bendsLines } }

  /// The text on one line: as it is, or as a string literal if it could be misread.
  package var quotedIfNeeded: String {
    let isPlain =
      first != "\"" && first != " " && last != " " && !isEmpty
      && !unicodeScalars.contains(where: \.bendsLines)
      // Not if its first or last mark would combine with the character next to it.
      && " \(self) ".count == count + 2
    return isPlain ? self : literal
  }

  /// The text as a string literal.
  private var literal: String {
    var isFirst = true
    let content = escaping { scalar in
      defer { isFirst = false }
      return scalar == "\"" || scalar == "\\" || scalar.bendsLines || "\(scalar) ".count == 1
        || (isFirst && " \(scalar)".count == 1)
    }
    return "\"\(content)\""
  }

  /// Returns the text with spaces before it, up to a width.
  func alignedRight(in width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// Returns the text with spaces, or another character, after it, up to a width.
  package func padded(to width: Int, with character: Character = " ") -> String {
    self + String(repeating: character, count: max(0, width - count))
  }

  /// The text up to a width, with an ellipsis if that isn't all; `nil` for the whole text.
  func cut(to width: Int?) -> String {
    guard let width, count > width else { return self }
    return width > 0 ? prefix(width - 1) + "…" : ""
  }

  /// The text in lines of a width, which begin with the same spaces; `nil` for one line.
  package func folded(to width: Int?) -> [String] {
    guard let width, count > width else { return [self] }
    let indentation = String(prefix { $0 == " " })
    return dropFirst(indentation.count).split(separator: " ", omittingEmptySubsequences: false)
      .map(String.init).folded(to: width - indentation.count).map { indentation + $0 }
  }

  /// The text without the spaces at its end.
  package var withoutTrailingSpaces: String {
    let count = reversed().prefix { $0 == " " }.count
    return String(dropLast(count))
  }

  private func escaping(_ needsEscape: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if needsEscape(scalar) {
        result.append(contentsOf: scalar.escape.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
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

extension Unicode.Scalar {
  /// Whether this is a control character, ends a line, or changes the direction of the text.
  fileprivate var bendsLines: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // The zero-width joiner of emoji is harmless.
    case .format: value != 0x200D
    default: false
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\"": "\\\""
    case "\\": "\\\\"
    default: "\\u{\(String(value, radix: 16))}"
    }
  }
}
