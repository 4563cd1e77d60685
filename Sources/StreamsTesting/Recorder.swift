import Streams
import Testing
import VirtualTime
import VirtualWorld

/// A subscriber that records every event with its virtual time, and lets you control demand.
///
/// ```swift
/// let recorder = source.record(demand: .max(1), on: clock)
/// clock.run()
/// #expect(recorder.values == [1])
/// recorder.request(1)
/// #expect(recorder.next() == .value(2, at: .milliseconds(5)))
/// recorder.expectNoMoreEvents()
/// ```
///
/// ## Looking at events
///
/// Reading ``events``, ``values``, ``times`` or ``completion`` looks at everything recorded so far.
/// ``next()`` looks at one more event. At its end, a world reports values and completions of its
/// recorders that you haven't looked at, as Turbine does.
///
/// ## Demand, threads
///
/// The recorder requests its demand when it receives the subscription, and returns the demand per
/// value for each value. Everything else is up to you. Any thread may deliver, read, request and
/// cancel. Events that break the rules of streams are recorded like all others, even after the end
/// or a cancellation. Only a second subscription is also cancelled.
public final class Recorder<Input, Failure: Error>: Subscriber, Cancellable {
  /// A recorded event.
  public typealias Event = TimedEvent<Input, Failure>

  private struct State {
    var events: [Event] = []
    /// How many events have been looked at.
    var readCount = 0
    var subscription: (any Subscription)?
    var isCancelled = false
    var isOver = false
    var scheduledCancels: [any Cancellable] = []
  }

  /// The place where it was made.
  public let sourceLocation: SourceLocation

  private let demand: Subscribers.Demand
  private let demandPerValue: Subscribers.Demand
  private let clock: VirtualTimeScheduler
  /// The world to tell about values from outside; `nil` if its timeline tells it.
  private weak let world: World?
  private let isInTimeline: Bool
  private let state = Locked(State())

  /// Makes a recorder. `record()` on a publisher makes one that's already subscribed.
  ///
  /// - Parameters:
  ///   - demand: How many values it requests when it receives the subscription. With `.none` it
  ///     requests nothing.
  ///   - demandPerValue: How many more values it requests for each value.
  ///   - clock: The clock that gives the times.
  ///   - fileID: The file that reports name.
  ///   - filePath: The path of that file.
  ///   - line: The line that reports name.
  ///   - column: The column that reports name.
  public convenience init(
    demand: Subscribers.Demand = .unlimited, demandPerValue: Subscribers.Demand = .none,
    on clock: VirtualTimeScheduler, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    self.init(
      demand: demand, demandPerValue: demandPerValue, on: clock, isInTimeline: false,
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// - Parameter isInTimeline: Whether the world's timeline records the same events.
  init(
    demand: Subscribers.Demand, demandPerValue: Subscribers.Demand, on clock: VirtualTimeScheduler,
    isInTimeline: Bool, _ location: SourceLocation
  ) {
    self.demand = demand
    self.demandPerValue = demandPerValue
    self.clock = clock
    sourceLocation = location
    self.isInTimeline = isInTimeline
    let here = World.here.flatMap { $0.clock === clock ? $0 : nil }
    world = isInTimeline ? nil : here
    here?.keep(self)
  }

  // MARK: Looking at events

  /// All events so far.
  public var events: [Event] {
    state.withLock { state in
      state.readCount = state.events.count
      return state.events
    }
  }

  /// The values so far.
  public var values: [Input] { events.compactMap(\.value) }

  /// The times of the values so far.
  public var times: [VirtualTime] { events.compactMap { $0.value == nil ? nil : $0.time } }

  /// The first completion; `nil` before it.
  public var completion: Subscribers.Completion<Failure>? {
    for event in events {
      switch event.kind {
      case .finished: return .finished
      case .failure(let error): return .failure(error)
      case .subscription, .value, .cancelled: continue
      }
    }
    return nil
  }

  /// Looks at the next event: a value, `finished` or a failure.
  ///
  /// - Returns: The first one that you haven't looked at, or `nil` if there is none. It doesn't
  ///   wait: move the clock first.
  public func next() -> Event? {
    state.withLock { state in
      while state.readCount < state.events.count {
        let event = state.events[state.readCount]
        state.readCount += 1
        if event.isSignal { return event }
      }
      return nil
    }
  }

  /// Reports an issue if there are values or completions that you haven't looked at, and then
  /// counts them as looked at.
  public func expectNoMoreEvents(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let unread = unreadEvents
    _ = events
    guard !unread.isEmpty else { return }
    reportIssue(
      "expected no more events, got \(list(unread))",
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Counts all events so far as looked at.
  package func lookAtAllEvents() { _ = events }

  /// The values and completions that the test hasn't looked at. Reading this doesn't count.
  package var unreadEvents: [Event] {
    state.withLock { $0.events[$0.readCount...].filter(\.isSignal) }
  }

  // MARK: Demand

  /// Requests more values. Before the subscription and after the end, this does nothing.
  public func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.subscription }?.request(demand)
  }

  /// Requests more values. Before the subscription and after the end, this does nothing.
  ///
  /// - Parameter count: How many; at least one.
  public func request(_ count: Int) { request(.max(count)) }

  /// Cancels the subscription, and records that. After the end, this does nothing.
  ///
  /// Before the subscription, the subscription is cancelled as soon as it arrives.
  public func cancel() {
    let now = clock.now
    let (subscription, work) = state.withLock { state -> ((any Subscription)?, [any Cancellable]) in
      state.isCancelled = true
      if state.subscription != nil { state.events.append(.cancelled(at: now)) }
      let work = state.scheduledCancels
      state.scheduledCancels = []
      return (state.subscription.take(), work)
    }
    subscription?.cancel()
    for work in work { work.cancel() }
  }

  /// Cancels at a moment, before all other work of that moment.
  ///
  /// - Parameters:
  ///   - time: The moment. If it has passed, this is reported as an issue, and nothing is
  ///     cancelled.
  ///   - fileID: The file that issues are reported at.
  ///   - filePath: The path of that file.
  ///   - line: The line that issues are reported at.
  ///   - column: The column that issues are reported at.
  public func cancel(
    at time: VirtualTime, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    let now = clock.now
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard time >= now else {
      return reportIssue("can't cancel at \(time): the clock is at \(now)", at: location)
    }
    let work = clock.scheduleOnce(
      at: time, label: "Recorder.cancel(at:)", isCancellation: true, location
    ) { self.cancel() }
    let isOver = state.withLock { state in
      if !state.isOver, !state.isCancelled { state.scheduledCancels.append(work) }
      return state.isOver || state.isCancelled
    }
    if isOver { work.cancel() }
  }

  // MARK: Subscriber

  public func receive(subscription: any Subscription) {
    let now = clock.now
    let isAccepted = state.withLock { state in
      let isFirst = !state.events.contains { $0.isSubscription }
      state.events.append(.subscription(at: now))
      guard isFirst else { return false }
      if state.isCancelled { state.events.append(.cancelled(at: now)) }
      guard !state.isOver, !state.isCancelled else { return false }
      state.subscription = subscription
      return true
    }
    guard isAccepted else { return subscription.cancel() }
    if demand > .none { subscription.request(demand) }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    let event = Event.value(input, at: clock.now)
    noteIfOutside(event)
    state.withLock { $0.events.append(event) }
    return demandPerValue
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    let now = clock.now
    let event: Event =
      switch completion {
      case .finished: .finished(at: now)
      case .failure(let error): .failure(error, at: now)
      }
    noteIfOutside(event)
    // The subscription is released here, outside the lock.
    let (_, work) = state.withLock { state -> ((any Subscription)?, [any Cancellable]) in
      state.events.append(event)
      state.isOver = true
      let work = state.scheduledCancels
      state.scheduledCancels = []
      return (state.subscription.take(), work)
    }
    for work in work { work.cancel() }
  }
}

extension Recorder {
  /// Fails the test at its end if the event came from outside the world: its time is random.
  private func noteIfOutside(_ event: Event) {
    world?.noteIfOutside("\(event.kind)", "of the recorder made at \(place)")
  }

  private var place: String { "\(sourceLocation.fileID):\(sourceLocation.line)" }
}

// Everything that changes is behind a lock.
extension Recorder: @unchecked Sendable where Input: Sendable {}

extension Publisher {
  /// Subscribes a new ``Recorder``.
  ///
  /// ```swift
  /// let recorder = [1, 2].publisher.map { $0 * 10 }.record(on: clock)
  /// #expect(recorder.values == [10, 20])
  /// ```
  ///
  /// - Parameters:
  ///   - demand: How many values it requests when it receives the subscription. With `.none` it
  ///     requests nothing.
  ///   - demandPerValue: How many more values it requests for each value.
  ///   - clock: The clock that gives the times.
  ///   - fileID: The file that reports name.
  ///   - filePath: The path of that file.
  ///   - line: The line that reports name.
  ///   - column: The column that reports name.
  /// - Returns: The recorder.
  public func record(
    demand: Subscribers.Demand = .unlimited, demandPerValue: Subscribers.Demand = .none,
    on clock: VirtualTimeScheduler, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(
      demand: demand, demandPerValue: demandPerValue, on: clock, fileID: fileID,
      filePath: filePath, line: line, column: column)
    subscribe(recorder)
    return recorder
  }
}

/// A recorder of any type, for the check at the end of a scope.
package protocol UnreadEvents: AnyObject {
  /// Where the recorder was made.
  var sourceLocation: SourceLocation { get }

  /// Counts all events so far as looked at.
  func lookAtAllEvents()

  /// One line about the values and completions that the test hasn't looked at; `nil` if there are
  /// none.
  var unreadMessage: String? { get }

  /// The values and completions so far, in words; `nil` if the world's timeline has them.
  var ownDeliveries: [String]? { get }
}

extension Recorder: UnreadEvents {
  package var ownDeliveries: [String]? {
    isInTimeline ? nil : state.withLock { $0.events.filter(\.isSignal).map { "\($0.kind)" } }
  }

  package var unreadMessage: String? {
    let unread = unreadEvents
    guard !unread.isEmpty else { return nil }
    let count = unread.count == 1 ? "1 event" : "\(unread.count) events"
    return "the test didn't look at \(count) of the recorder made at \(place): \(list(unread))"
  }
}

extension TimedEvent {
  /// The value, if this is one.
  fileprivate var value: Output? { if case .value(let value) = kind { value } else { nil } }

  fileprivate var isSubscription: Bool { if case .subscription = kind { true } else { false } }

  /// Whether it comes from upstream, and isn't the subscription.
  fileprivate var isSignal: Bool {
    switch kind {
    case .value, .finished, .failure: true
    case .subscription, .cancelled: false
    }
  }
}

/// The first few events, on one line.
private func list<Output, Failure>(_ events: [TimedEvent<Output, Failure>]) -> String {
  let shown = events.prefix(5).map(\.description).joined(separator: ", ")
  return events.count <= 5 ? shown : shown + " and \(events.count - 5) more"
}
