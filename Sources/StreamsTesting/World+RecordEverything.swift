import Timeline
import VirtualWorld

extension World {
  /// Gives each publisher a lane that the world's code subscribes to from now on, so that the code
  /// needs no `lane(_:)`.
  ///
  /// ```swift
  /// world.recordEverything()
  /// let model = SearchModel(session: world.session)
  /// ```
  ///
  /// Call it first, and look at the picture of the run. The same values arrive as without it. A
  /// lane is named after its operator, and after the one above it too if there are several, such as
  /// `map after debounce`. Its line of code is that of the subscriber, which isn't known if an
  /// operator such as `flatMap` subscribes later. A publisher with a lane of its own keeps that.
  ///
  /// Other worlds aren't affected, and neither are pipelines that were made before. It's a tool to
  /// look at a run, so leave it out of tests that compare the whole record.
  public func recordEverything() {
    timeline.recordEverything {
      CallSite().source.map { Timeline.SourceLine(fileID: $0.fileID, line: $0.line) }
    }
  }
}
