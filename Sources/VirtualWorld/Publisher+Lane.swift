import Streams
import Timeline

extension Publisher {
  /// Shows this point of the pipeline as a lane in the record of the run.
  ///
  /// ```swift
  /// session.dataTaskPublisher(for: url)
  ///   .lane("data task")
  ///   .retry(1)
  ///   .lane("retry")
  /// ```
  ///
  /// The lane holds the subscription, requests, values, the completion and cancellation that pass
  /// here. They all pass unchanged. You see the lane in marble diagrams, in pictures and in the
  /// trace.
  ///
  /// The world is the one that runs the subscribing code. Outside a world, this does nothing.
  /// Cancellations aren't recorded when the world ends, because they only release what's left.
  ///
  /// - Parameters:
  ///   - name: The name of the lane. Several subscriptions at once are numbered.
  ///   - describe: Describes a value. The text must be the same in each run. By default, that's
  ///     `stableText(_:)`.
  ///   - fileID: The file of the line of code to show.
  ///   - line: The line of code to show.
  /// - Returns: A publisher that records what passes it.
  public func lane(
    _ name: String, describing describe: @escaping (Output) -> String = { stableText($0) },
    fileID: String = #fileID, line: Int = #line
  ) -> Publishers.Lane<Self> {
    World.here?.timeline.traceValues()
    return Publishers.Lane(
      upstream: self, name: name, describe: describe,
      line: Timeline.SourceLine(fileID: fileID, line: line))
  }
}

extension Publishers {
  /// A publisher that records everything that passes it in the world that subscribes.
  public struct Lane<Upstream: Publisher>: Publisher {
    /// The kind of values this publisher delivers.
    public typealias Output = Upstream.Output

    /// The kind of error this publisher can fail with.
    public typealias Failure = Upstream.Failure

    /// The publisher that is recorded.
    public let upstream: Upstream

    /// The name of the lane.
    public let name: String

    let describe: (Output) -> String
    let line: Timeline.SourceLine

    /// Attaches the subscriber to upstream, and records what passes between them.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Failure == S.Failure, Output == S.Input {
      guard let timeline = World.here?.timeline else { return upstream.subscribe(subscriber) }
      Publishers.Recorded(
        upstream: upstream, lane: .operator(name), timeline: timeline, line: line,
        describe: describe
      )
      .subscribe(subscriber)
    }
  }
}

extension Publishers.Lane: PublisherWithoutLane {}
