/// The folder and the name of a snapshot, below `Snapshots` and without the extension.
package struct SnapshotName: Hashable, CustomStringConvertible {
  /// Both as a path, such as `search-tests/shows-what-was-found`.
  package let description: String

  /// Makes a name from texts of any kind.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - parts: The parts of the file's name, which are joined with dots.
  /// - Throws: An error if one of them has no letter and no digit of ASCII.
  package init(folder: String, parts: [String]) throws(SnapshotSetupError) {
    var names: [String] = []
    for text in [folder] + parts {
      let name = Self.hyphenated(text)
      guard !name.isEmpty else {
        throw SnapshotSetupError(
          "\"\(text)\" can't name a snapshot, because it has none of a-z, A-Z and 0-9. Pass "
            + "another name with `named:`.")
      }
      names.append(name)
    }
    description = "\(names[0])/\(names.dropFirst().joined(separator: "."))"
  }

  /// The name of a function without its arguments: `loads(_:)` or `` `loads twice`() ``.
  static func function(_ text: String) -> String {
    guard text.hasPrefix("`") else { return String(text.prefix { $0 != "(" }) }
    return String(text.dropFirst().prefix { $0 != "`" })
  }

  /// The words of a text in lower case, joined with hyphens: `URLSession 2` is `url-session-2`.
  private static func hyphenated(_ text: String) -> String {
    var words: [String] = []
    var isInWord = false
    let characters = Array(text.utf8)
    for (index, character) in characters.enumerated() {
      let isUpper = character.isUpper
      guard isUpper || character.isLowerOrDigit else {
        isInWord = false
        continue
      }
      let previous = index > 0 ? characters[index - 1] : 0
      let next = index + 1 < characters.count ? characters[index + 1] : 0
      let startsWord = isUpper && (previous.isLowerOrDigit || next.isLower)
      if !isInWord || startsWord { words.append("") }
      isInWord = true
      words[words.count - 1].unicodeScalars.append(
        UnicodeScalar(isUpper ? character + 32 : character))
    }
    return words.joined(separator: "-")
  }
}

extension UInt8 {
  fileprivate var isUpper: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  fileprivate var isLower: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

  fileprivate var isLowerOrDigit: Bool {
    isLower || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
