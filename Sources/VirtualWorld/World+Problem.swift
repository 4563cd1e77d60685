import VirtualTime

extension World {
  /// Where the work that repeats was scheduled, as the end of a message.
  var placesOfRepeats: String {
    let places = clock.unfinishedWork.filter { $0.work.interval != nil }.compactMap { _, site in
      (site as? any Site)?.source.map { "\($0.fileName):\($0.line)" }
    }
    return places.isEmpty ? "" : "\n  scheduled at \(places.joined(separator: ", "))"
  }

  /// The place of a call in the user's code.
  package protocol Site: WorkSite {
    /// The file and line; `nil` if they aren't known.
    var source: Problem.Source? { get }
  }

  /// A problem of a run, in one line.
  package struct Problem: Hashable, Sendable {
    /// The problem, and what to do about it.
    package let message: String
    /// The file and line that it comes from, if they are known.
    package let source: Source?

    package struct Source: Hashable, Sendable {
      package let fileID: String
      package let filePath: String
      package let line: Int

      /// The last part of the path.
      package var fileName: Substring { filePath.split(separator: "/").last ?? "" }

      package init(fileID: String, filePath: String, line: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
      }
    }

    package init(message: String, source: Source? = nil) {
      self.message = message
      self.source = source
    }

    /// - Parameters:
    ///   - work: The earliest work of a place.
    ///   - lastDue: When the last work of the place is due.
    ///   - source: The place.
    init(unfinished work: PendingWork, until lastDue: VirtualTime, source: Source?) {
      let name = work.label.map { " (\($0))" } ?? ""
      let times = lastDue == work.due ? "\(work.due)" : "\(work.due) to \(lastDue)"
      let interval = work.interval.map { " and then every \($0)" } ?? ""
      let place =
        source.map { ", scheduled at \($0.fileName):\($0.line)" }
        ?? work.source.map { ", scheduled at \($0)" } ?? ""
      self.init(
        message:
          "unfinished work\(name), due at \(times)\(interval)\(place): run the world until "
          + "it is done, or cancel it",
        source: source)
    }
  }
}
