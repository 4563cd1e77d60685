import Foundation

/// Watches the Swift files of folders.
struct SourceWatch {
  /// What's different after a change: how many files there are, and when the last one was written.
  struct Mark: Equatable {
    var count = 0
    var latest = Date.distantPast
  }

  let folders: [URL]

  /// The present mark.
  var mark: Mark {
    var mark = Mark()
    for folder in folders { note(folder, &mark) }
    return mark
  }

  private func note(_ url: URL, _ mark: inout Mark) {
    let manager = FileManager.default
    guard let attributes = try? manager.attributesOfItem(atPath: url.path) else { return }
    if attributes[.type] as? FileAttributeType == .typeDirectory {
      for name in (try? manager.contentsOfDirectory(atPath: url.path)) ?? []
      where !name.hasPrefix(".") {
        note(url.appending(path: name), &mark)
      }
    } else if url.pathExtension == "swift", let date = attributes[.modificationDate] as? Date {
      mark.count += 1
      mark.latest = max(mark.latest, date)
    }
  }
}
