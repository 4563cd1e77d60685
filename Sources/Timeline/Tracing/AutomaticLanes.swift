import Streams

/// Gives each publisher that code of a timeline's run subscribes to a lane of its own.
///
/// A lane is named after the type of its publisher. So the pipelines that one line of code makes
/// share their lanes, one life each, and two operators of the same name have two.
final class AutomaticLanes: Sendable {
  private weak let timeline: Timeline?
  private let takeLine: @Sendable () -> Timeline.SourceLine?

  private struct State {
    /// The names of the lanes by the types of their publishers; `nil` for those without a lane.
    var names: [ObjectIdentifier: String?] = [:]
    /// The names of all lanes, those of the program's own too.
    var taken: Set<String> = []
  }

  private let state = Locked(State())

  /// The line of the code that subscribes, in the call that attaches the whole pipeline.
  @TaskLocal private static var line: Timeline.SourceLine?

  /// - Parameters:
  ///   - timeline: The timeline to record in.
  ///   - takeLine: Returns the line of the calling code; `nil` if it's not known.
  init(_ timeline: Timeline, takeLine: @escaping @Sendable () -> Timeline.SourceLine?) {
    (self.timeline, self.takeLine) = (timeline, takeLine)
  }

  /// Attaches a subscriber through a lane.
  ///
  /// - Returns: Whether it has. A publisher that only stands for another one gets no lane, and a
  ///   subscriber that's a lane needs no second one.
  func attach<P: Publisher, S: Subscriber>(_ subscriber: S, to publisher: P) -> Bool
  where S.Input == P.Output, S.Failure == P.Failure {
    guard let timeline, !(P.self is any PublisherWithoutLane.Type),
      !(subscriber is any LaneSubscriber), let name = name(of: P.self)
    else { return false }
    // An operator that subscribes when it gets a value isn't called by the code that made it.
    let line = Self.line ?? (Timeline.numberOfCause == nil ? takeLine() : nil)
    let lane = Publishers.Recorded(
      upstream: publisher, lane: .operator(name), timeline: timeline, line: line,
      // The text of a publisher is that of its whole pipeline.
      describe: { $0 is any Publisher ? "a publisher" : stableText($0) })
    Self.$line.withValue(line) { lane.receive(subscriber: subscriber) }
    return true
  }

  /// Keeps the name of a lane for that lane.
  func reserve(_ lane: Timeline.Lane) { state.withLock { _ = $0.taken.insert(lane.name) } }

  /// Whether a lane is one of these.
  func contains(_ lane: Timeline.Lane) -> Bool {
    state.withLock { $0.names.values.contains(lane.name) }
  }

  /// A name that no other lane has: that of the operator, if need be with the one above it. `nil`
  /// for an operator's carrier, because the operator has a lane.
  private func name(of type: any Publisher.Type) -> String? {
    state.withLock { state in
      if let known = state.names[ObjectIdentifier(type)] { return known }
      let name = Self.names(of: type).first { state.taken.insert($0).inserted }
      state.names[ObjectIdentifier(type)] = .some(name)
      return name
    }
  }

  /// The names that a lane may have, the best first.
  private static func names(of type: any Publisher.Type) -> some Sequence<String> {
    let path = String(reflecting: type)
    let carriers = ["Tracing<", "Ending<", "Traced<"]
    let isCarrier = carriers.contains { path.contains("Timeline.\($0)") }
    // `Map<Filter<Just<Int>>, Int>`
    let parts = "\(type)".split { "<,> ".contains($0) }.map { name in
      // As code calls an operator. Other types keep their names.
      path.contains("Streams.Publishers.\(name)")
        ? name.prefix(1).lowercased() + name.dropFirst() : String(name)
    }
    let name = parts.first ?? path
    let longName = parts.count > 1 ? "\(name) after \(parts[1])" : name
    return (isCarrier ? 0..<0 : 0..<Int.max).lazy.map { index in
      index == 0 ? name : index == 1 ? longName : "\(longName) (\(index))"
    }
  }
}

/// A publisher that stands for another one, or whose lane has a name already.
package protocol PublisherWithoutLane: Publisher {}

/// A subscriber that records what it receives in a lane.
protocol LaneSubscriber: Subscriber {}

extension AnyPublisher: PublisherWithoutLane {}
extension Publishers.Recorded: PublisherWithoutLane {}
