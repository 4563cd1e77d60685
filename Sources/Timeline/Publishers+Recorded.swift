import Streams

extension Publisher {
  /// Records everything that passes this stage in a lane of a timeline: the subscription, requests,
  /// values, the completion and cancellation.
  ///
  /// The stage passes demand, values and the completion on unchanged. Demand that a subscriber
  /// returns for a value is recorded as a request after that value.
  ///
  /// ```swift
  /// searches
  ///   .debounce(for: .milliseconds(300), scheduler: clock)
  ///   .recorded(as: "debounce", on: timeline)
  /// ```
  ///
  /// - Parameters:
  ///   - lane: The lane to record in. A string literal makes an operator's lane.
  ///   - timeline: The timeline to record on.
  ///   - describe: Describes a value. The text must be the same in each run. By default, that's
  ///     ``stableText(_:)``.
  /// - Returns: A publisher that records what passes it.
  public func recorded(
    as lane: Timeline.Lane, on timeline: Timeline,
    describing describe: @escaping (Output) -> String = { stableText($0) }
  ) -> Publishers.Recorded<Self> {
    Publishers.Recorded(upstream: self, lane: lane, timeline: timeline, describe: describe)
  }
}

extension Publishers {
  /// A publisher that records everything that passes it on a timeline.
  public struct Recorded<Upstream>: Publisher where Upstream: Publisher {
    /// The kind of values this publisher delivers.
    public typealias Output = Upstream.Output

    /// The kind of error this publisher can fail with.
    public typealias Failure = Upstream.Failure

    /// The publisher that is recorded.
    public let upstream: Upstream

    /// The lane to record in.
    public let lane: Timeline.Lane

    /// The timeline to record on.
    public let timeline: Timeline

    /// Describes a value.
    public let describe: (Output) -> String

    /// The line of code to show for its events.
    private let line: Timeline.SourceLine?

    /// Makes a publisher that records what `upstream` sends and receives.
    public init(
      upstream: Upstream, lane: Timeline.Lane, timeline: Timeline,
      describe: @escaping (Output) -> String
    ) {
      self.init(upstream: upstream, lane: lane, timeline: timeline, line: nil, describe: describe)
    }

    /// Makes a publisher that also knows its line of code.
    package init(
      upstream: Upstream, lane: Timeline.Lane, timeline: Timeline, line: Timeline.SourceLine?,
      describe: @escaping (Output) -> String
    ) {
      self.upstream = upstream
      self.lane = lane
      self.timeline = timeline
      self.line = line
      self.describe = describe
      timeline.traceValues()
    }

    /// Attaches the subscriber to upstream, and records what passes between them.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Failure == S.Failure, Output == S.Input {
      let conduit = RecordedConduit(
        subscriber, lane: lane, timeline: timeline, line: line, describe: describe)
      conduit.attach(to: upstream)
    }
  }
}

/// Passes signals between upstream and one subscriber, and records them.
///
/// Upstream serialises its signals. Requests and cancellation may come from any thread, even during
/// a delivery. The first cancellation removes the upstream subscription, and so does the
/// completion. After that, requests and cancellation do nothing and aren't recorded.
private final class RecordedConduit<Downstream: Subscriber>: Subscriber, Subscription {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private enum State {
    case unattached
    case attached(any Subscription)
    case ended
  }

  private struct Attachment {
    /// The description of upstream's subscription.
    var description = "Recorded"
    /// What the timeline knows about this; `nil` until it's attached.
    var known: Timeline.Attachment?
    /// Whether upstream is attaching this. Meanwhile, the latest request is noted.
    var isGoingOn = true
  }

  private let downstream: Downstream
  private let lane: Timeline.Lane
  private let timeline: Timeline
  private let line: Timeline.SourceLine?
  private let describe: (Input) -> String
  private let state = Locked(State.unattached)
  private let attachment = Locked(Attachment())

  init(
    _ downstream: Downstream, lane: Timeline.Lane, timeline: Timeline, line: Timeline.SourceLine?,
    describe: @escaping (Input) -> String
  ) {
    self.downstream = downstream
    self.lane = lane
    self.timeline = timeline
    self.line = line
    self.describe = describe
  }

  func attach(to upstream: some Publisher<Input, Failure>) {
    timeline.attaching(in: lane) { known in
      attachment.withLock { $0.known = known }
      upstream.subscribe(self)
      attachment.withLock { $0.isGoingOn = false }
    }
  }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      guard case .unattached = state else { return false }
      state = .attached(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    let (number, description) = (timeline.addSubscription(in: lane), "\(subscription)")
    attachment.withLock { attachment in
      attachment.description = description
      attachment.known?.life.number = number
    }
    record(.subscription) { downstream.receive(subscription: self) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    record(.value(describe(input))) {
      let demand = downstream.receive(input)
      if demand > .none { record(.request(demand)) {} }
      return demand
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    // The subscription is released here, outside the lock.
    _ = end()
    let kind: Timeline.Event.Kind =
      switch completion {
      case .finished: .finished
      case .failure(let error): .failure(failureText(error))
      }
    record(kind) { downstream.receive(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription: (any Subscription)? = state.withLock { state in
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
    guard let subscription else { return }
    record(.request(demand)) { subscription.request(demand) }
  }

  func cancel() {
    guard let subscription = end() else { return }
    if timeline.isTearingDown { return subscription.cancel() }
    record(.cancelled) { subscription.cancel() }
    attachment.withLock { $0.known }?.stopWaits()
  }

  private func record<Result>(_ kind: Timeline.Event.Kind, during body: () -> Result) -> Result {
    let attachment = attachment.withLock { $0 }
    let event = timeline.record(
      kind, in: lane, subscription: attachment.known?.life.number, line: line)
    if case .request = kind, attachment.isGoingOn { attachment.known?.latest = event.number }
    return Timeline.following(timeline.cause(event, of: attachment.known), body)
  }

  private func end() -> (any Subscription)? {
    state.withLock { state in
      defer { state = .ended }
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
  }
}

extension RecordedConduit: LaneSubscriber {}

extension RecordedConduit: CustomStringConvertible {
  /// The stage is invisible in the output of `print()`, so this is upstream's description.
  var description: String { attachment.withLock { $0.description } }
}
