import Streams
import StreamsFoundation
import Testing
import Timeline
import VirtualTime
import VirtualWorld

extension World {
  /// Subscribes a new ``Recorder``, and records the same events in the world's `World.timeline`.
  ///
  /// ```swift
  /// let results = world.record(model.results, as: "results")
  /// world.run()
  /// #expect(results.values == ["Ada"])
  /// ```
  ///
  /// The world cancels the recorder's subscription when it ends. If the test hasn't looked at all
  /// its values and completions by then, it fails. Reading `World.transcript` looks at all of them,
  /// and so does reading `World.timeline`'s `recording` if the recorder has a lane there.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to subscribe to.
  ///   - name: The name of its lane; `nil` to leave it out of the timeline.
  ///   - demand: How many values the recorder requests when it receives the subscription.
  ///   - demandPerValue: How many more values it requests for each value.
  ///   - fileID: The file that reports name.
  ///   - filePath: The path of that file.
  ///   - line: The line that reports name.
  ///   - column: The column that reports name.
  /// - Returns: The recorder.
  public func record<P: Publisher>(
    _ publisher: P, as name: String? = nil, demand: Subscribers.Demand = .unlimited,
    demandPerValue: Subscribers.Demand = .none, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Recorder<P.Output, P.Failure> {
    enter {
      let recorder = Recorder<P.Output, P.Failure>(
        demand: demand, demandPerValue: demandPerValue, on: clock, isInTimeline: name != nil,
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
      if let name {
        Publishers.Recorded(
          upstream: publisher, lane: .subscriber(name), timeline: timeline,
          line: Timeline.SourceLine(fileID: fileID, line: line), describe: { stableText($0) }
        )
        .subscribe(recorder)
      } else {
        publisher.subscribe(recorder)
      }
      return recorder
    }
  }

  /// Makes a cold source on the world's clock from a marble string. See
  /// ``VirtualTime/VirtualTimeScheduler/cold(_:_:failure:frame:as:fileID:filePath:line:column:)``.
  public func cold<Output, Failure: Error>(
    _ marbles: String, _ values: [Character: Output] = [Character: String](),
    failure: Failure? = Never?.none, frame: VirtualTime.Interval = MarbleString.defaultFrame,
    as name: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> ColdPublisher<Output, Failure> {
    clock.cold(
      marbles, values, failure: failure, frame: frame, as: name, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Makes a hot source on the world's clock from a marble string. See
  /// ``VirtualTime/VirtualTimeScheduler/hot(_:_:failure:frame:as:fileID:filePath:line:column:)``.
  public func hot<Output, Failure: Error>(
    _ marbles: String, _ values: [Character: Output] = [Character: String](),
    failure: Failure? = Never?.none, frame: VirtualTime.Interval = MarbleString.defaultFrame,
    as name: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> HotPublisher<Output, Failure> {
    clock.hot(
      marbles, values, failure: failure, frame: frame, as: name, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Keeps a recorder until the world ends, and then reports the events that the test hasn't looked
  /// at.
  func keep(_ recorder: any UnreadEvents & Cancellable) {
    cancellables.insert(AnyCancellable(recorder))
    nonisolated(unsafe) let recorder = recorder
    atEnd {
      guard let message = recorder.unreadMessage else { return [] }
      let location = recorder.sourceLocation
      return [
        Problem(
          message: message,
          source: Problem.Source(
            fileID: location.fileID, filePath: location.filePath, line: location.line))
      ]
    }
    let isInTimeline = recorder.ownDeliveries == nil
    onRecordRead(isInTimeline: isInTimeline) { recorder.lookAtAllEvents() }
    guard !isInTimeline else { return }
    let location = recorder.sourceLocation
    addToOutcome {
      ("the recorder of \(location.fileName):\(location.line)", recorder.ownDeliveries ?? [])
    }
  }
}
