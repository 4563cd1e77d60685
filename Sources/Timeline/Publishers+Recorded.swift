import Streams

extension Publisher {
  /// Writes all that passes this stage to a lane of a timeline: subscription, requests, values,
  /// the end and cancellation.
  ///
  /// The stage changes nothing: demand, values and the end pass as they come. Demand that a
  /// subscriber returns for a value is recorded as a request after that value.
  ///
  /// ```swift
  /// searches
  ///   .debounce(for: .milliseconds(300), scheduler: clock)
  ///   .recorded(as: "debounce", on: timeline)
  /// ```
  ///
  /// - Parameters:
  ///   - lane: Where to write; a literal is an operator's lane.
  ///   - timeline: What to write to.
  ///   - describe: Puts a value into words. It has to do so in the same way in each run: collections
  ///     without order are to be sorted, and numbers with a fraction to be rounded.
  public func recorded(
    as lane: Timeline.Lane, on timeline: Timeline,
    describing describe: @escaping (Output) -> String = { String(describing: $0) }
  ) -> Publishers.Recorded<Self> {
    Publishers.Recorded(upstream: self, lane: lane, timeline: timeline, describe: describe)
  }
}

extension Publishers {
  /// A publisher that writes all that passes to a timeline.
  public struct Recorded<Upstream>: Publisher where Upstream: Publisher {
    /// The kind of values this publisher delivers.
    public typealias Output = Upstream.Output

    /// The kind of error this publisher can fail with.
    public typealias Failure = Upstream.Failure

    /// The publisher that is recorded.
    public let upstream: Upstream

    /// Where to write.
    public let lane: Timeline.Lane

    /// What to write to.
    public let timeline: Timeline

    /// Puts a value into words.
    public let describe: (Output) -> String

    /// Makes a publisher that records another.
    public init(
      upstream: Upstream, lane: Timeline.Lane, timeline: Timeline,
      describe: @escaping (Output) -> String
    ) {
      self.upstream = upstream
      self.lane = lane
      self.timeline = timeline
      self.describe = describe
    }

    /// Attaches the subscriber, by way of the timeline.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Failure == S.Failure, Output == S.Input {
      upstream.subscribe(
        RecordedConduit(subscriber, lane: lane, timeline: timeline, describe: describe))
    }
  }
}

/// Stands between upstream and one subscriber.
///
/// It leaves the serialising of signals to upstream, and lets requests and cancellation in from any
/// thread, also from within a delivery. The first to cancel takes the upstream subscription; so
/// does the end of the stream, after which requests and cancellation do nothing and are not
/// recorded.
private final class RecordedConduit<Downstream: Subscriber>: Subscriber, Subscription {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private enum State {
    case unattached
    case attached(any Subscription)
    case ended
  }

  private let downstream: Downstream
  private let lane: Timeline.Lane
  private let timeline: Timeline
  private let describe: (Input) -> String
  private let state = Locked(State.unattached)

  init(
    _ downstream: Downstream, lane: Timeline.Lane, timeline: Timeline,
    describe: @escaping (Input) -> String
  ) {
    self.downstream = downstream
    self.lane = lane
    self.timeline = timeline
    self.describe = describe
  }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      guard case .unattached = state else { return false }
      state = .attached(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    timeline.record(.subscription, in: lane) { downstream.receive(subscription: self) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let demand = timeline.record(.value(describe(input)), in: lane) { downstream.receive(input) }
    if demand > .none { timeline.record(.request(demand), in: lane) }
    return demand
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    // What is let go of here is released outside the lock.
    _ = end()
    let kind: Timeline.Event.Kind =
      switch completion {
      case .finished: .finished
      case .failure(let error): .failure("\(error)")
      }
    timeline.record(kind, in: lane) { downstream.receive(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription: (any Subscription)? = state.withLock { state in
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
    guard let subscription else { return }
    timeline.record(.request(demand), in: lane) { subscription.request(demand) }
  }

  func cancel() {
    guard let subscription = end() else { return }
    timeline.record(.cancelled, in: lane) { subscription.cancel() }
  }

  private func end() -> (any Subscription)? {
    state.withLock { state in
      defer { state = .ended }
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
  }
}

extension RecordedConduit: CustomStringConvertible {
  var description: String { "Recorded" }
}
