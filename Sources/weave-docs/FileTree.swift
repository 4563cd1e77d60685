/// The package's files, by paths relative to its root.
///
/// The tool reads and writes files through this protocol only, so tests can use trees in memory.
protocol FileTree {
  /// The text of a file, or `nil` if there is no such file.
  func text(of path: String) throws(FileFailure) -> String?

  /// Whether a path is a file or a folder, or `nil` if nothing is there.
  func kind(of path: String) -> FileKind?

  /// The names in a folder in alphabetical order. Empty if there is no such folder.
  func names(in folder: String) -> [String]

  /// Where a symbolic link leads, as the link spells it, or `nil` if the path isn't one.
  func target(ofLink path: String) -> String?

  /// Writes whole files, new ones together with their folders. If one can't be written, none is.
  func write(_ texts: [String: String]) throws(FileFailure)

  /// Removes files. If one can't be removed, those after it stay.
  func remove(_ paths: [String]) throws(FileFailure)
}

enum FileKind {
  case file
  case folder
}

/// Why a file can't be read or written.
struct FileFailure: Error, CustomStringConvertible {
  let path: String
  let reason: String

  var description: String { "\(path): \(reason)" }
}

extension FileTree {
  /// The lines of a file that a directive or a rule needs.
  ///
  /// - Parameter location: The place that needs the file. Problems are reported there.
  func lines(of path: String, for location: Location) throws(Problem) -> [String] {
    let name = path == location.path ? "it" : path
    let text: String?
    do throws(FileFailure) {
      text = try self.text(of: path)
    } catch {
      throw location.problem("\(name) can't be read: \(error.reason)")
    }
    guard let text else { throw location.problem(absence(of: path, for: location)) }
    // "\r\n" is one character in Swift, so splitting at "\n" wouldn't find it.
    guard !text.utf8.contains(UInt8(ascii: "\r")) else {
      throw location.problem(
        "\(name) has a carriage return: end its lines with a newline only")
    }
    return text.lines
  }

  /// Why a path has no text.
  private func absence(of path: String, for location: Location) -> String {
    let subject = path == location.path ? "it's" : "\(path) is"
    if kind(of: path) == .folder { return "\(subject) a folder, not a file" }
    if let target = target(ofLink: path) {
      return "\(subject) a link to \(target), which doesn't exist"
    }
    if path == location.path { return "no such file" }
    let isSnapshot = path.hasPrefix("Tests/") && path.contains("/Snapshots/")
    return "no such file: \(path)" + (isSnapshot ? " (make record writes snapshots)" : "")
  }

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

  /// The text without the characters at both ends that satisfy a condition.
  func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    String(String(drop(while: isTrimmed).reversed()).drop(while: isTrimmed).reversed())
  }
}
