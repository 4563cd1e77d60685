import Streams
import VirtualTime

/// The subscription of one subscriber to a timed source.
///
/// Signals that are due wait in a queue. One thread at a time takes them out and delivers them, as
/// far as demand reaches. A request that arrives during a delivery only adds to the demand. So
/// deliveries are never nested or concurrent. No lock is held while the subscriber runs.
final class TimedDelivery<Output, Failure: Error>: Subscription {
  typealias Event = TimedEvent<Output, Failure>

  /// Signals that a source sends.
  enum Signal {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
  }

  /// Where a value goes that is due without demand.
  enum Surplus {
    case waits
    case isDropped
  }

  private struct State {
    /// The subscriber; `nil` after the end.
    var subscriber: (any Subscriber<Output, Failure>)?
    var demand = Subscribers.Demand.none
    var queue: ArraySlice<Signal> = []
    /// Whether a thread delivers. It does so from the start, until the subscription is handed over.
    var isDelivering = true
    /// The tokens that cancel the work on the clock.
    var work: [any Cancellable] = []
    var record: TimedSubscription
    var dropped: [Event] = []
  }

  private let name: String
  private let surplus: Surplus
  private let clock: VirtualTimeScheduler
  private let report: (String) -> Void
  private let state: Locked<State>

  init(
    _ name: String, _ subscriber: some Subscriber<Output, Failure>, surplus: Surplus,
    on clock: VirtualTimeScheduler, report: @escaping (String) -> Void
  ) {
    self.name = name
    self.surplus = surplus
    self.clock = clock
    self.report = report
    state = Locked(
      State(subscriber: subscriber, record: TimedSubscription(subscribed: clock.now)))
  }

  var record: TimedSubscription { state.withLock { $0.record } }
  var dropped: [Event] { state.withLock { $0.dropped } }

  /// The values that wait for demand.
  var waiting: [Output] {
    state.withLock { state in
      state.queue.compactMap { if case .value(let value) = $0 { value } else { nil } }
    }
  }

  /// Gives the subscriber its subscription, and then everything that became due meanwhile.
  func handOver() {
    state.withLock { $0.subscriber }?.receive(subscription: self)
    state.withLock { $0.isDelivering = false }
    drain()
  }

  /// Keeps what cancels the work on the clock, or cancels it if the stream has already ended.
  func keep(_ work: any Cancellable) {
    let isOver = state.withLock { state in
      if state.subscriber != nil { state.work.append(work) }
      return state.subscriber == nil
    }
    if isOver { work.cancel() }
  }

  /// Delivers an event that is due.
  func send(_ event: Event) {
    let signal: Signal
    switch event.kind {
    case .value(let value): signal = .value(value)
    case .finished: signal = .completion(.finished)
    case .failure(let error): signal = .completion(.failure(error))
    case .subscription, .cancelled: return
    }
    state.withLock { state in
      guard state.subscriber != nil else { return }
      if case .value = signal, surplus == .isDropped, state.demand <= state.queue.count {
        state.dropped.append(event)
      } else {
        state.queue.append(signal)
      }
    }
    drain()
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else {
      return report("a subscriber requested no values: request at least one")
    }
    state.withLock { $0.demand += demand }
    drain()
  }

  func cancel() {
    let now = clock.now
    // Everything is released here, outside the lock.
    let old = state.withLock { state -> State? in
      guard state.subscriber != nil else { return nil }
      let old = state
      state.record.cancelled = now
      state.subscriber = nil
      state.queue = []
      state.work = []
      return old
    }
    for work in old?.work ?? [] { work.cancel() }
  }

  private func drain() {
    while let (subscriber, signal) = next() {
      switch signal {
      case .value(let value):
        let demand = subscriber.receive(value)
        state.withLock { state in
          state.demand += demand
          state.isDelivering = false
        }
      case .completion(let completion):
        subscriber.receive(completion: completion)
        return
      }
    }
  }

  /// Takes the next signal that can be delivered now.
  private func next() -> (any Subscriber<Output, Failure>, Signal)? {
    let now = clock.now
    return state.withLock { state in
      guard !state.isDelivering, let subscriber = state.subscriber, let signal = state.queue.first
      else { return nil }
      switch signal {
      case .value:
        guard state.demand > .none else { return nil }
        state.demand -= 1
      case .completion:
        state.record.completed = now
        state.subscriber = nil
      }
      state.queue.removeFirst()
      state.isDelivering = true
      return (subscriber, signal)
    }
  }
}

extension TimedDelivery: CustomStringConvertible {
  /// The name of the source's type.
  var description: String { name }
}
