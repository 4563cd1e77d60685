import VirtualTime

extension World {
  /// Where the work that repeats was scheduled, and which tasks sleep, as the end of a message.
  var placesOfRepeats: String {
    let places = clock.unfinishedWork.filter { $0.work.interval != nil }.compactMap { _, site in
      (site as? any Site)?.source.map { "\($0.fileName):\($0.line)" }
    }
    let sleeps = Problem.list(
      backend.tasks.sleeps.all,
      advice: "if it sleeps again and again, cancel it, or move time by an interval with "
        + "advance(by:)")
    return (places.isEmpty ? "" : "\n  scheduled at \(places.joined(separator: ", "))")
      + sleeps.map { "\n  \($0.message)" }.joined()
  }

  /// The place of a call in the user's code.
  package protocol Site: WorkSite {
    /// The file and line; `nil` if they aren't known.
    var source: Problem.Source? { get }

    /// The operator that has subscribed again and led to the call, and the line of its closure if
    /// it has one, such as `catch at Search.swift:12`. It's `nil` if that's not known.
    var repeater: String? { get }
  }

  /// A problem of a run: something that fails a test, such as work that's still due at the end.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The problem, and what to do about it. It's one line, or a difference of several lines.
    public let message: String

    /// The file and line that it comes from, if they are known.
    public let source: Source?

    /// A place in the user's code.
    public struct Source: Hashable, Sendable {
      /// The module and the file, as `#fileID` gives them.
      public let fileID: String

      /// The path of the file.
      public let filePath: String

      /// The line, counted from one.
      public let line: Int

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

    /// The place, if it's known, and the message: `App.swift:12: unfinished work, due at 2s: …`.
    public var description: String {
      (source.map { "\($0.fileName):\($0.line): " } ?? "") + message
    }
  }
}

extension World.Site {
  /// It's not known.
  package var repeater: String? { nil }
}
