import Foundation

/// A file that the command line names, and that is written as a whole or not at all.
struct OutputFile {
  /// The path as the user wrote it.
  let path: String

  /// The reason why a file couldn't be written.
  struct Problem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(path: String, _ reason: String) { description = "can't write \(path.shown): \(reason)" }
  }

  /// The file's URL, to open it in a browser.
  var url: String { URL(fileURLWithPath: path).absoluteString }

  /// Checks that the file can be written, before a run whose output would have no place. A full
  /// disk shows later.
  ///
  /// - Throws: ``Problem`` with one line for the user. The folder is as it was in any case.
  func check() throws(Problem) {
    let (temporary, descriptor) = try makeTemporary(for: try target())
    close(descriptor)
    unlink(temporary)
  }

  /// Writes a text to a new file in the same folder, and gives that file the name of this one.
  ///
  /// - Throws: ``Problem`` with one line for the user. The file is then what it was before.
  func write(_ text: String) throws(Problem) {
    let target = try target()
    let (temporary, descriptor) = try makeTemporary(for: target)
    var status = stat()
    if stat(target, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    do throws(Problem) {
      try write(Array(text.utf8), to: descriptor)
      if rename(temporary, target) != 0 { throw lastProblem() }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Creates an empty file in a file's folder.
  private func makeTemporary(for target: String) throws(Problem) -> (path: String, file: Int32) {
    // Its name has nothing of the file's, which may be as long as a name can be.
    let end = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { target.index(after: $0) }
    let path = "\(target[..<(end ?? target.startIndex)]).stream-scenarios-\(getpid()).tmp"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if descriptor < 0 { throw lastProblem() }
    return (path, descriptor)
  }

  /// The file behind symbolic links, which has to be a plain file or not to exist.
  private func target() throws(Problem) -> String {
    var status = stat()
    if stat(path, &status) != 0 {
      if errno == ENOENT { return path }
      throw lastProblem()
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Problem(path: path, String(cString: strerror(EISDIR)))
    default: throw Problem(path: path, "it isn't a plain file")
    }
    if access(path, W_OK) != 0 { throw lastProblem() }
    guard let resolved = realpath(path, nil) else { throw lastProblem() }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Problem) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        let problem = lastProblem()
        close(descriptor)
        throw problem
      }
    }
    // Some file systems report a full disk only now.
    if close(descriptor) != 0 { throw lastProblem() }
  }

  private func lastProblem() -> Problem { Problem(path: path, String(cString: strerror(errno))) }
}
