import Foundation

/// Watches the Swift files of folders, and single files.
///
/// It looks again and again, because that's the same on all systems, and takes a few milliseconds
/// even for hundreds of files.
struct SourceWatch {
  /// What's different when a file has changed, whatever the clock says.
  private struct Mark: Equatable {
    let size: Int
    let seconds: Int
    let nanoseconds: Int
    let inode: UInt64

    init(_ status: stat) {
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

  /// An element at first, and one when anything has changed since the last one.
  func changes() -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Reading folders blocks, so it has a thread of its own.
    Thread {
      var seen: [String: Mark]?
      while true {
        let marks = marks
        if marks != seen {
          seen = marks
          if case .terminated = continuation.yield() { return }
        }
        Thread.sleep(forTimeInterval: Self.pause)
      }
    }
    .start()
    return changes
  }

  private var marks: [String: Mark] {
    var marks: [String: Mark] = [:]
    for place in places { note(place.path, &marks) }
    return marks
  }

  private func note(_ path: String, _ marks: inout [String: Mark]) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      where !name.hasPrefix(".") && (name.hasSuffix(".swift") || !name.contains(".")) {
        note("\(path)/\(name)", &marks)
      }
    } else if path.hasSuffix(".swift") {
      marks[path] = Mark(status)
    }
  }
}
