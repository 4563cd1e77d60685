/// The package's files, by paths relative to its root.
///
/// The tool reads and writes files through this protocol only, so tests can use trees in memory.
protocol FileTree {
  /// The text of a file; `nil` if there is none, or if it isn't UTF-8.
  func text(of path: String) -> String?

  /// Whether a path is a file or a folder; `nil` if it's neither. A link is neither, because it
  /// leads to a file that has a path of its own.
  func kind(of path: String) -> FileKind?

  /// The names in a folder in alphabetical order; empty if there is no such folder.
  func names(in folder: String) -> [String]

  /// Writes whole files, new ones together with their folders.
  func write(_ texts: [String: String]) throws(Problem)

  /// Removes a file.
  func remove(_ path: String) throws(Problem)
}

enum FileKind {
  case file
  case folder
}

extension FileTree {
  /// The lines of a file that a directive or a rule needs.
  ///
  /// - Parameter location: The place that needs the file. Problems are reported there.
  func lines(of path: String, for location: Location) throws(Problem) -> [String] {
    let isSnapshot = path.hasPrefix("Tests/") && path.contains("/Snapshots/")
    switch kind(of: path) {
    case .folder: throw location.problem("\(path) is a folder, not a file")
    case .file: break
    case nil:
      throw location.problem(
        "no such file: \(path)" + (isSnapshot ? " (make record writes snapshots)" : ""))
    }
    // "\r\n" is one character in Swift, so splitting at "\n" wouldn't find it.
    guard let text = text(of: path), !text.utf8.contains(UInt8(ascii: "\r")) else {
      throw location.problem("\(path) isn't UTF-8 text whose lines end in a newline only")
    }
    return text.lines
  }

  /// The lines of a file; empty if it can't be read.
  func lines(of path: String) -> [String] { (text(of: path) ?? "").lines }

  /// Paths of the files with a suffix in a folder and those below it.
  func files(below folder: String, suffix: String) -> [String] {
    names(in: folder).flatMap { name -> [String] in
      guard !name.hasPrefix(".") else { return [] }
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      return switch kind(of: path) {
      case .folder: files(below: path, suffix: suffix)
      case .file where name.hasSuffix(suffix): [path]
      case .file, nil: []
      }
    }
  }
}

extension String {
  /// The lines without their newlines. A newline at the end doesn't start another line.
  var lines: [String] {
    var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

extension StringProtocol {
  /// Whether two texts have the same bytes. `==` isn't enough, because it equates both encodings of
  /// `é`.
  func isSpelled(like other: Self) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether there's nothing but white space.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// The text without the characters at both ends that satisfy a condition.
  func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    String(String(drop(while: isTrimmed).reversed()).drop(while: isTrimmed).reversed())
  }

  /// The text without the white space at both ends.
  var trimmed: String { trimming(\.isWhitespace) }
}
