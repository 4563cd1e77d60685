import Streams
import VirtualTime

/// The record of a run: what happened when, where, in which order and why.
///
/// A pipeline writes to it with `recorded(as:on:)`, and other code with
/// `record`. All output about the run is made from its ``recording``.
///
/// ```swift
/// let clock = VirtualTimeScheduler()
/// let timeline = Timeline(clock: clock)
/// let letters = PassthroughSubject<String, Never>()
/// let subscription = letters.recorded(as: .source("letters"), on: timeline).sink { _ in }
/// clock.schedule(after: .milliseconds(300)) { letters.send("a") }
/// clock.run()
/// print(timeline.recording.transcript(), terminator: "")
/// // Prints "  0ms  letters  subscribed"
/// // Prints "  0ms  letters  request unlimited"
/// // Prints "300ms  letters  value a"
/// ```
///
/// Any thread may record. Events are kept in the order they arrive. Time never goes back: an event
/// with an earlier time than the last one gets the last one's time.
public final class Timeline: Sendable {
  private struct State {
    var recording = Recording()
    var count = 0
    var time = VirtualTime.zero
    var place = 0
    var observers: [@Sendable (Event) -> Void] = []
    var readers: [@Sendable () -> Void] = []
    /// How many subscriptions each lane has had.
    var subscriptions: [Lane: Int] = [:]
    var isTearingDown = false

    mutating func append(
      _ kind: Timeline.Event.Kind, in lane: Timeline.Lane, at now: VirtualTime, thread: String?,
      cause: Int?, from: [Int], subscription: Int?, line: SourceLine?
    ) -> Timeline.Event {
      // Two threads may read the clock in one order and arrive here in the other.
      let isNewInstant = count == 0 || now > time
      if isNewInstant { time = now }
      place = isNewInstant ? 1 : place + 1
      count += 1
      let event = Timeline.Event(
        number: count, time: time, place: place, lane: lane, kind: kind, thread: thread,
        cause: cause, from: from, subscription: subscription, line: line)
      if recording.parts.isEmpty { recording.parts.append(Timeline.Recording.Part()) }
      recording.parts[recording.parts.count - 1].events.append(event)
      return event
    }
  }

  /// What the running code follows from: an event, and the values that it's delivering.
  package struct Cause: Sendable {
    fileprivate enum Event: Sendable {
      /// The program's own code.
      case none
      case event(Int)
      case attachment(Attachment)
    }

    /// The trace of its timeline.
    fileprivate let trace: ValueTrace
    fileprivate let event: Event

    /// The values that are being delivered.
    fileprivate var origins = Origins()

    /// The attachment of the first lane below the code that runs.
    fileprivate var below: Attachment?

    /// The same event as now, even if the attachment goes on.
    fileprivate var settled: Cause {
      guard case .attachment = event else { return self }
      return Cause(
        trace: trace, event: number.map { .event($0) } ?? .none, origins: origins, below: below)
    }

    fileprivate var number: Int? {
      switch event {
      case .none: nil
      case .event(let number): number
      case .attachment(let attachment): attachment.latest
      }
    }
  }

  /// The attaching of a subscriber to a lane's upstream.
  ///
  /// A source that's asked for values while it attaches its subscriber often delivers them, or
  /// makes its request, at the end of that, when the subscriber's own request has returned. So what
  /// happens meanwhile follows from the latest request.
  final class Attachment: Sendable {
    private let event: Locked<Int?>

    /// The life of the lane.
    let life: WaitLog.Life

    fileprivate let log: WaitLog

    /// The attachment of the next lane below; `nil` if there's none.
    fileprivate let below: Attachment?

    /// Ends the waits of a life that was cancelled.
    func stopWaits() { log.stopAll(of: life) }

    fileprivate init(_ outer: Int?, in lane: Lane, log: WaitLog, above below: Attachment?) {
      event = Locked(outer)
      life = WaitLog.Life(lane: lane)
      (self.log, self.below) = (log, below)
    }

    /// The latest request; before the first one, the event that led to the subscription.
    var latest: Int? {
      get { event.withLock { $0 } }
      set { event.withLock { $0 = newValue } }
    }
  }

  /// What the running code follows from; `nil` if no timeline is recording it.
  @TaskLocal private static var cause: Cause?

  /// Whether values know their origins in pipelines that the running code subscribes to.
  static var tracesValues: Bool { cause?.trace.isOn ?? false }

  /// What gives each publisher a lane that the running code subscribes to; `nil` if nothing does.
  static var automaticLanes: AutomaticLanes? { cause?.trace.automaticLanes }

  /// The values that the running code is delivering.
  static var origins: Origins { cause?.origins ?? Origins() }

  /// What the running code follows from, to pass to ``following(_:_:)`` later.
  package static var settledCause: Cause? { cause?.settled }

  private let trace = ValueTrace()
  private let waits: WaitLog
  private let now: @Sendable () -> VirtualTime
  private let thread: @Sendable () -> String?
  private let state = Locked(State())

  /// Makes an empty timeline.
  ///
  /// - Parameters:
  ///   - now: Returns the time of an event.
  ///   - thread: Returns the label of the thread that records, or `nil` for none.
  public init(
    now: @escaping @Sendable () -> VirtualTime,
    thread: @escaping @Sendable () -> String? = { nil }
  ) {
    self.now = now
    self.thread = thread
    waits = WaitLog(now: now)
  }

  /// Makes an empty timeline on a virtual clock.
  ///
  /// - Parameters:
  ///   - clock: The clock that gives events their time.
  ///   - thread: Returns the label of the thread that records, or `nil` for none.
  public convenience init(
    clock: VirtualTimeScheduler, thread: @escaping @Sendable () -> String? = { nil }
  ) {
    self.init(now: { clock.now }, thread: thread)
  }

  /// The events so far.
  public var recording: Recording {
    for read in state.withLock({ $0.readers }) { read() }
    return recordingUnseen
  }

  /// The events so far, for code that doesn't show them to the test.
  package var recordingUnseen: Recording {
    var recording = state.withLock { $0.recording }
    for part in recording.parts.indices {
      recording.parts[part].waits = waits.waits(ofPart: part)
    }
    return recording
  }

  /// Calls a closure whenever the ``recording`` is read.
  package func onRead(_ read: @escaping @Sendable () -> Void) {
    state.withLock { $0.readers.append(read) }
  }

  /// How many events there are so far, which is the number of the last one.
  package var eventCount: Int { state.withLock { $0.count } }

  /// An event by its number; `nil` if there's none.
  package func event(_ number: Int) -> Event? {
    state.withLock { state in
      let part = state.recording.parts.last { $0.events.first.map { $0.number <= number } ?? false }
      guard let part, let first = part.events.first,
        part.events.indices.contains(number - first.number)
      else { return nil }
      return part.events[number - first.number]
    }
  }

  /// Records an event that happens now.
  ///
  /// - Parameters:
  ///   - kind: The kind of event.
  ///   - lane: Where it happened.
  ///   - thread: The label of the thread or queue. If `nil`, the timeline's own `thread` returns
  ///     it.
  ///   - cause: The number of the event that caused this one. If `nil`, the event whose body calls
  ///     this (see ``record(_:in:during:)``).
  ///   - subscription: The number of the subscription it belongs to, for a lane that has several.
  ///   - line: The line of code to show for it.
  /// - Returns: The event. Its number can be the cause of further events.
  @discardableResult
  public func record(
    _ kind: Event.Kind, in lane: Lane, thread: String? = nil, cause: Int? = nil,
    subscription: Int? = nil, line: SourceLine? = nil
  ) -> Event {
    let now = now()
    let thread = thread ?? self.thread()
    let cause = cause ?? currentCause
    let origins = kind.isMadeOfValues ? Self.origins : Origins()
    let from = origins.trace === trace ? origins.events : []
    let (event, observers) = state.withLock { state in
      let event = state.append(
        kind, in: lane, at: now, thread: thread, cause: cause, from: from,
        subscription: subscription, line: line)
      return (event, state.observers)
    }
    for observer in observers { observer(event) }
    return event
  }

  /// Calls an observer with each further event, on the thread that records it.
  public func onEvent(_ observer: @escaping @Sendable (Event) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  /// Records an event that happens now, and makes it the cause of every event that the body
  /// records, on the same thread or in tasks that the body starts.
  ///
  /// - Returns: The body's result.
  @discardableResult
  public func record<Result>(
    _ kind: Event.Kind, in lane: Lane, during body: () throws -> Result
  ) rethrows -> Result {
    try Self.following(cause(record(kind, in: lane)), body)
  }

  /// Runs code that follows from an event, or from none.
  package static func following<Result>(
    _ cause: Cause?, _ body: () throws -> Result
  ) rethrows -> Result {
    try $cause.withValue(cause, operation: body)
  }

  /// Returns an action that follows from the same event as the code that calls this.
  ///
  /// - Parameter isRepeated: Whether it's the action of a timer, whose ticks aren't made of the
  ///   value that started it.
  package static func carryingCause(
    _ action: @escaping () -> Void, isRepeated: Bool
  ) -> () -> Void {
    guard var cause = settledCause else { return action }
    if isRepeated { cause.origins = Origins() }
    return { [cause] in following(cause, action) }
  }

  /// Runs the delivery of a value that's made of these values. It follows from the same event as
  /// before.
  static func delivering<Result>(_ origins: Origins, _ body: () -> Result) -> Result {
    guard var delivery = cause ?? origins.start else { return body() }
    delivery.origins = origins
    // What follows isn't kept by the operator that has delivered it.
    delivery.origins.holds = []
    return following(delivery, body)
  }

  /// Lists a value that's being delivered as kept by an operator; `nil` if no timeline records it.
  static func hold(by keeper: some Any) -> ValueTrace.Hold? {
    guard let cause else { return nil }
    let events = cause.origins.trace === cause.trace ? cause.origins.events : []
    return cause.trace.hold(KeptValue(keeper: "\(keeper)", events: events))
  }

  /// Keeps track of the values that operators hold, from now on.
  package func tracksKeptValues() { trace.beginList() }

  /// The values that operators of recorded pipelines hold now, in the order in which they arrived:
  /// in a buffer, until a timer ends, or to combine them with others. Empty if this doesn't keep
  /// track of them.
  package var keptValues: [KeptValue] { trace.keptValues }

  /// Lets the values of pipelines that are subscribed to from now on know their origins. Each lane
  /// does this when it's made, because operators below it are attached before it.
  package func traceValues() { trace.begin() }

  /// Gives each publisher a lane that the run's code subscribes to from now on.
  ///
  /// - Parameter takeLine: Returns the line of the code that subscribes; `nil` if it's not known.
  package func recordEverything(takingLines takeLine: @escaping @Sendable () -> SourceLine?) {
    trace.automaticLanes = AutomaticLanes(self, takeLine: takeLine)
    traceValues()
  }

  /// Whether a lane is there only because everything is recorded.
  package func isAutomatic(_ lane: Lane) -> Bool { trace.automaticLanes?.contains(lane) ?? false }

  deinit { trace.end() }

  /// The number of the event that the running code follows from, of any timeline.
  package static var numberOfCause: Int? { cause?.number }

  /// Runs the program's own code, which this timeline records. Code that it records already follows
  /// from the same event as before.
  package func recording<Result>(_ body: () throws -> Result) rethrows -> Result {
    if Self.cause?.trace === trace { return try body() }
    return try Self.following(Cause(trace: trace, event: .none), body)
  }

  /// Runs the program's own asynchronous code, which this timeline records.
  package func recording<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    if Self.cause?.trace === trace { return try await body() }
    return try await Self.$cause.withValue(
      Cause(trace: trace, event: .none), operation: body, isolation: isolation)
  }

  /// The cause that stands for an event of this timeline. What follows from a value is made of it,
  /// until another value is delivered.
  package func cause(_ event: Event) -> Cause {
    let isValue = if case .value = event.kind { true } else { false }
    return Cause(
      trace: trace, event: .event(event.number),
      origins: isValue ? Origins(trace: trace, events: [event.number]) : Origins())
  }

  /// The same for what passes a lane: what follows from it runs above the lane or below.
  func cause(_ event: Event, of attachment: Attachment?) -> Cause {
    var cause = cause(event)
    cause.below = event.kind.goesUp ? attachment : attachment?.below
    return cause
  }

  /// The cause that stands for an event of this timeline that has no value.
  package func cause(_ number: Int) -> Cause {
    Cause(trace: trace, event: .event(number))
  }

  /// Runs the call that attaches a subscriber to a lane's upstream.
  func attaching(in lane: Lane, _ subscribe: (Attachment) -> Void) {
    trace.automaticLanes?.reserve(lane)
    let below = Self.cause.flatMap { $0.trace === trace ? $0.below : nil }
    let attachment = Attachment(currentCause, in: lane, log: waits, above: below)
    traceValues()
    let cause = Cause(trace: trace, event: .attachment(attachment), below: attachment)
    Self.following(cause) { subscribe(attachment) }
  }

  /// What notes the waits of an operator that's being attached; `nil` if no lane stands below it.
  static func waitNotes(startsAtLastAction: Bool) -> WaitNotes? {
    cause?.below.map {
      WaitNotes($0.life, in: $0.log, startsAtLastAction: startsAtLastAction)
    }
  }

  /// Counts one more subscription in a lane.
  ///
  /// - Returns: Its number. The first one is 1.
  func addSubscription(in lane: Lane) -> Int {
    state.withLock { state in
      state.subscriptions[lane, default: 0] += 1
      return state.subscriptions[lane, default: 0]
    }
  }

  /// Whether the run is over, so that cancellations only release what's left. Lanes leave them out.
  package var isTearingDown: Bool {
    get { state.withLock { $0.isTearingDown } }
    set {
      if newValue { waits.close() }
      state.withLock { $0.isTearingDown = newValue }
    }
  }

  /// Begins a new part of the recording, with a heading.
  package func beginPart(_ title: String) {
    let part = state.withLock { state in
      state.recording.parts.append(Recording.Part(title: title))
      return state.recording.parts.count - 1
    }
    waits.beginPart(part)
  }

  /// The number of the event that the running code follows from, if it's one of this timeline.
  package var currentCause: Int? {
    guard let cause = Self.cause, cause.trace === trace else { return nil }
    return cause.number
  }
}

extension Origins {
  /// The program's own code, of their timeline; `nil` if there are none.
  fileprivate var start: Timeline.Cause? {
    trace.flatMap { events.isEmpty ? nil : Timeline.Cause(trace: $0, event: .none) }
  }
}

extension Timeline.Event.Kind {
  /// Whether a subscriber sends this to its publisher.
  fileprivate var goesUp: Bool {
    switch self {
    case .request, .cancelled: true
    default: false
    }
  }

  /// Whether an event of this kind is made of the values that are being delivered.
  fileprivate var isMadeOfValues: Bool {
    switch self {
    case .value, .printed: true
    default: false
    }
  }
}
