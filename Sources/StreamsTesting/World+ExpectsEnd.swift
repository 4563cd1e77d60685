import Streams
import Testing
import Timeline
import VirtualTime
import VirtualWorld

extension World {
  /// Fails the test if a stream has neither finished nor failed when the world ends.
  ///
  /// ```swift
  /// world.expectsEnd(of: model.refresh(), as: "the refresh")
  /// world.run()
  /// ```
  ///
  /// A stream that never ends leaves its spinner on the screen, and no value of it is wrong. In
  /// `expectEndings`, each fault gets this expectation, so a refresh that only hangs when a request
  /// is lost is found too.
  ///
  /// This subscribes, and asks for all values. If the stream is cold, such as a data task, that
  /// starts its work, so don't subscribe to it elsewhere in the test. A property or a subject of a
  /// model rarely ends, so this isn't for them.
  ///
  /// - Parameters:
  ///   - publisher: The stream that must end.
  ///   - name: What a failure calls it.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  public func expectsEnd(
    of publisher: some Publisher, as name: String = "the stream", fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line
  ) {
    let source = Problem.Source(fileID: fileID, filePath: filePath, line: line)
    let progress = Locked(StreamProgress(start: clock.now))
    expect(canFollowFromEarlyEnd: true) {
      progress.withLock { $0 }.problem(of: name).map { Problem(message: $0, source: source) }
    }
    enter {
      publisher.sink { _ in
        progress.withLock { $0.hasEnded = true }
      } receiveValue: { [clock] value in
        let text = value is Void ? "a value" : shortText(of: value)
        progress.withLock { $0.last = (text, clock.now) }
      }
      .store(in: &cancellables)
    }
  }
}

/// How far a stream has come.
private struct StreamProgress {
  let start: VirtualTime
  var last: (value: String, time: VirtualTime)?
  var hasEnded = false

  /// What's wrong if the world ends now; `nil` if the stream has ended.
  func problem(of name: String) -> String? {
    if hasEnded { return nil }
    let state = last.map { "last delivered \($0.value) at \($0.time)" } ?? "has delivered nothing"
    return "\(name) never ended: it began at \(start), and \(state). Run the world for longer, or "
      + "give it an end in each case, as timeout and replaceError do"
  }
}
