import Foundation

/// Watches the Swift files of folders, and single files.
///
/// It looks again and again, because that's the same on all systems, and takes a few milliseconds
/// even for hundreds of files.
struct SourceWatch {
  /// The files of a moment, by their paths.
  typealias Files = [String: Mark]

  /// What's different when a file has changed, whatever the clock says.
  struct Mark: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int
    let inode: UInt64

    fileprivate init(_ status: stat) {
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (size, inode) = (Int(status.st_size), UInt64(status.st_ino))
      (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
    }
  }

  private static let pause = 0.03

  let places: [URL]

  /// The files at first, and again when any of them has changed.
  func changes() -> AsyncStream<Files> {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Files.self, bufferingPolicy: .bufferingNewest(1))
    // Reading folders blocks, so it has a thread of its own.
    Thread {
      var seen: Files?
      while true {
        let files = files
        if files != seen {
          seen = files
          if case .terminated = continuation.yield(files) { return }
        }
        Thread.sleep(forTimeInterval: Self.pause)
      }
    }
    .start()
    return changes
  }

  private var files: Files {
    var files: Files = [:]
    for place in places { note(place.path, &files) }
    return files
  }

  private func note(_ path: String, _ files: inout Files) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      where !name.hasPrefix(".") && (name.hasSuffix(".swift") || !name.contains(".")) {
        note("\(path)/\(name)", &files)
      }
    } else if path.hasSuffix(".swift") {
      files[path] = Mark(status)
    }
  }
}
