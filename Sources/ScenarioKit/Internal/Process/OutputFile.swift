import Foundation

/// A file that the command line names.
struct OutputFile {
  /// The path as the user wrote it.
  let path: String

  /// The reason why a file couldn't be written.
  struct Problem: Error, Equatable, CustomStringConvertible {
    let description: String

    /// The system's reason, which `errno` has.
    init(path: String) {
      description = "can't write \(path.shown): \(String(cString: strerror(errno)))"
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
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        let problem = Problem(path: path)
        close(descriptor)
        throw problem
      }
    }
    // Some file systems report a full disk only here.
    if close(descriptor) != 0 { throw Problem(path: path) }
  }

  private func open(_ flags: Int32) throws(Problem) -> Int32 {
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
    if descriptor < 0 { throw Problem(path: path) }
    return descriptor
  }
}
