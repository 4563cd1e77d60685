import Foundation

/// A file that the command line names.
struct OutputFile {
  /// The path as the user wrote it.
  let path: String

  /// The reason why a file couldn't be written.
  struct Problem: Error, Equatable, CustomStringConvertible {
    let description: String

    /// - Parameter reason: In the system's words; by default those for `errno`.
    init(path: String, _ reason: String = String(cString: strerror(errno))) {
      description = "can't write \(path.shown): \(reason)"
    }
  }

  /// The file's URL, to open it in a browser.
  var url: String { URL(fileURLWithPath: path).absoluteString }

  /// Checks that the file can be opened, before a run whose output would have no place. A full disk
  /// shows later.
  ///
  /// - Throws: ``Problem`` with one line for the user. The folder is as it was in any case.
  func check() throws(Problem) {
    var status = stat()
    // Opening a pipe would wait for its reader.
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO { return }
    let isNew = access(path, F_OK) != 0
    close(try open(0))
    // The file itself, and not a link to it.
    if isNew, let file = realpath(path, nil) {
      unlink(file)
      free(file)
    }
  }

  /// Writes a text, instead of what the file has. If it fails, the file may be incomplete.
  ///
  /// - Throws: ``Problem`` with one line for the user.
  func write(_ text: String) throws(Problem) {
    let descriptor = try open(O_TRUNC)
    let reason = Program.write(text, to: descriptor)
    // Some file systems report a full disk only here.
    let isClosed = close(descriptor) == 0
    if let reason { throw Problem(path: path, reason) }
    if !isClosed { throw Problem(path: path) }
  }

  private func open(_ flags: Int32) throws(Problem) -> Int32 {
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
    if descriptor < 0 { throw Problem(path: path) }
    return descriptor
  }
}
