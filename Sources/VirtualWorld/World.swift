import Foundation
import Streams
import StreamsFoundation
import StubNetwork
import Timeline
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A virtual world for code with streams: one clock, and everything that has to follow it.
///
/// ```swift
/// world.network.stub(
///   .get, "https://example.com/user", responses: .text("Ada", after: .milliseconds(100)))
/// let model = ProfileModel(session: world.session)
/// model.load()
/// world.advance(by: .milliseconds(100))
/// // model.name == "Ada"
/// ```
///
/// In a world, **work that your code gives to a scheduler waits for the clock. Then it runs on its
/// own queue, one thing at a time, while the clock waits.** That's true of `DispatchQueue.main`,
/// your own queues, `RunLoop.main` and operation queues. So code that says `DispatchQueue.main`
/// needs no scheduler as a parameter. And code that forgets to go to the main queue runs elsewhere,
/// as it does in production, so it traps if it checks where it is.
///
/// ## Moving time
///
/// Time moves only when you move it. It doesn't matter whether you use ``advance(by:limit:)``,
/// ``run(limit:)``, ``step()`` or another verb, of the world or of its ``clock``: before each
/// action and at the end of the call, everything attached settles. That's the work for queues, the
/// network, and the queues that you attached. While an asynchronous test awaits something, time
/// moves by itself to what's due next, until the test goes on; see ``Waits``.
///
/// ## Tasks
///
/// Tasks that start in a world belong to it, whatever starts them: `Task { }`, `async let`, a
/// group, an actor. The world runs them one part at a time, each up to its next `await` that has to
/// wait, in the order in which they become ready. Parts on the main actor run on the main queue,
/// all others off it. `Task.sleep` follows the world's time, and ``swiftClock`` does so exactly.
/// See ``Tasks`` for what happens with other compilers.
///
/// ## Limits
///
/// A world can't drive code that calls `DispatchQueue.main.async` itself, timers of the wall clock,
/// tasks that were there before it, and threads of your own. If an event in the ``timeline`` comes
/// from there, it's marked `outside the world`, and the test fails. It also fails if a recorder
/// receives such an event, and if such code makes a request in a session of the world, or gives
/// work to a scheduler. Requests that the world finds together come in the order of their methods,
/// URLs, headers and bodies, after its own. But a world doesn't see what else that code does, so
/// record the streams that matter.
///
/// If a test awaits what nothing in its world can bring, and nothing outside does for five seconds,
/// it fails.
///
/// ## Threads
///
/// One thread at a time moves time; any thread may read. Worlds of parallel tests share nothing but
/// the main queue.
public final class World: Sendable {
  /// The clock, which starts at zero.
  public let clock: VirtualTimeScheduler

  /// The stub network. It has no stubs at first.
  public let network: StubNetwork

  /// The record of the run: the network's requests, and each lane of a pipeline: see
  /// `lane(_:)` of a publisher.
  public let timeline: Timeline

  struct State {
    var cancellables: Set<AnyCancellable> = []
    var session: URLSession?
    var host: (any WorldHost)?
    var strays: [Stray] = []
    var checks: [@Sendable () -> [Problem]] = []
    var expectations: [Expectation] = []
    /// Called when the test reads the transcript.
    var transcriptReaders: [@Sendable () -> Void] = []
    /// Called when it reads the record in any format.
    var recordReaders: [@Sendable () -> Void] = []
    var recorders: [@Sendable () -> (name: String, events: [String])] = []
  }

  let requests: WorldRequests
  let backend: WorldBackend
  private let actionAttachment: any Cancellable & Sendable
  private let taskAttachments: [any Cancellable & Sendable]
  let takeSite: (@Sendable () -> any Site)?
  let onFailure: @Sendable (String) -> Void
  let state = Locked(State())
  /// How the test waits.
  let waiting = Locked(Waiting())

  /// Makes a world, which lives until ``end()``.
  ///
  /// - Parameters:
  ///   - runner: Runs actions on their queues.
  ///   - limits: The limits of the clock.
  ///   - order: How the clock chooses between things that could happen in either order.
  ///   - moves: Other times for what the script decides.
  ///   - tasks: Whether it runs tasks.
  ///   - label: The label of an event, by the place that it comes from.
  ///   - takeSite: Takes the place of the code that schedules work, or sends something from outside
  ///     the world, for reports.
  ///   - onFailure: Called with one line for each problem that shows during the run.
  ///   - onLateRequest: Called with the method and the URL of each request that's made after the
  ///     end, and with the place of that code. It's called inside a call of `URLSession`, so it
  ///     must return at once and call nothing of the user's. `nil` to call `onFailure`.
  package init(
    runner: any QueuedActionRunner, limits: VirtualTimeScheduler.Limits = .default,
    order: Schedule? = nil, moves: [Move] = [], tasks: Tasks = .inside,
    label: @escaping @Sendable (RunningPlace) -> String?,
    takeSite: (@Sendable () -> any Site)? = nil,
    onFailure: @escaping @Sendable (String) -> Void,
    onLateRequest: (@Sendable (_ request: String, (any Site)?) -> Void)? = nil
  ) {
    let clock = VirtualTimeScheduler(
      name: "the world's clock", limits: limits, order: order, moves: moves, takeSite: takeSite,
      carry: { Timeline.carryingCause($0, isRepeated: $1) }
    ) { failure in
      let places = failure.rule == .endlessRun ? Self.here?.placesOfRepeats ?? "" : ""
      onFailure(failure.message + places)
    }
    let worldTasks = WorldTasks(
      clock: clock, runner: runner, takeSite: takeSite, onFailure: onFailure)
    let backend = WorldBackend(
      clock: clock, runner: runner, tasks: worldTasks, onFailure: onFailure)
    self.clock = clock
    self.backend = backend
    self.takeSite = takeSite
    self.onFailure = onFailure
    // Attached before the network, because queued actions go first.
    actionAttachment = clock.attach { backend.settleOnce() }
    let ownTasks = clock.attachTasks { worldTasks.settleOnce() }
    let timeline = Timeline(clock: clock) { label(backend.place) }
    self.timeline = timeline
    let requests = WorldRequests(
      timeline, backend, clock, label: { label(.outside) }, takeSite: takeSite
    ) { request in
      guard let onLateRequest else {
        return onFailure("\(request) was made after the world had ended, so it was cancelled")
      }
      onLateRequest(request, takeSite?())
    }
    self.requests = requests
    network = StubNetwork(
      clock: clock, timeline: timeline, watch: requests, onFailure: onFailure)
    taskAttachments = [
      ownTasks, clock.attachTasks { worldTasks.takeForeign() },
      clock.attachTasks(isLast: true) { worldTasks.unparkIfLate() },
    ]
    timeline.onEvent { event in
      guard let world = backend.world, !world.timeline.isAutomatic(event.lane) else { return }
      world.noteIfOutside("\(event.kind)", "in the lane \(event.lane.name)")
    }
    timeline.onRead {
      for read in backend.world?.state.withLock({ $0.recordReaders }) ?? [] { read() }
    }
    backend.world = self
    SchedulingScope.begin()
    if tasks == .inside, TaskExecutors.areReplaceable {
      TaskExecutors.replace()
      worldTasks.begin(firstTask: TaskPart.nextNumber)
    }
  }

  /// The program that runs in this world; `nil` in a test.
  package var host: (any WorldHost)? {
    get { state.withLock { $0.host } }
    set { state.withLock { $0.host = newValue } }
  }

  // MARK: The code under test

  /// A session whose requests go to the ``network``. Each call returns the same one.
  public var session: URLSession {
    if let session = state.withLock({ $0.session }) { return session }
    let session = makeSession()
    return state.withLock { state in
      state.session = state.session ?? session
      return state.session ?? session
    }
  }

  /// Makes one more session like ``session``.
  ///
  /// - Parameters:
  ///   - configuration: The session's configuration.
  ///   - delegate: Receives responses, chunks of bodies and completions as they arrive. The session
  ///     keeps it until it is invalidated, or until the world ends.
  ///   - waitsForConnectivity: Whether requests wait while the network's `isConnected` is `false`.
  ///     If not, they fail.
  /// - Returns: The session.
  public func makeSession(
    configuration: URLSessionConfiguration = .ephemeral,
    delegate: (any URLSessionDelegate)? = nil, waitsForConnectivity: Bool = false
  ) -> URLSession {
    if backend.hasEnded { reportUseAfterEnd() }
    if let session = host?.makeSession(
      delegate: delegate, waitsForConnectivity: waitsForConnectivity)
    {
      return session
    }
    return network.addSession(
      configuration: configuration, delegate: delegate, waitsForConnectivity: waitsForConnectivity)
  }

  /// Keeps subscriptions until the world ends, and cancels them then.
  public var cancellables: Set<AnyCancellable> {
    get { state.withLock { $0.cancellables } }
    set {
      // The former content is cancelled outside the lock.
      _ = state.withLock { state in
        defer { state.cancellables = newValue }
        return state.cancellables
      }
    }
    _modify {
      var cancellables = state.withLock { state in
        defer { state.cancellables = [] }
        return state.cancellables
      }
      defer { state.withLock { $0.cancellables.formUnion(cancellables) } }
      yield &cancellables
    }
  }

  /// Runs an action at a given time, before all other work that is due then. Where orders are
  /// explored, it may come after. In `Moves`, it's `action 1`, and so on.
  ///
  /// - Parameters:
  ///   - time: The time on the world's clock.
  ///   - fileID: The file that lists of what can be moved name.
  ///   - line: The line that they name.
  ///   - action: The action. It runs where time is moved.
  public func at(
    _ time: VirtualTime, fileID: String = #fileID, line: Int = #line,
    _ action: @escaping () -> Void
  ) {
    let script = clock.script
    let address = script.addressOfAction()
    let time = script.time(
      of: .action, address, address, place: "\(Timeline.SourceLine(fileID: fileID, line: line))",
      usual: time, in: clock.now...VirtualTime.max, bounds: .init(after: "its call"))
    var options = VirtualTimeScheduler.Options(label: "at \(time)", isCancellation: true)
    options.orderSource = OrderSource("world.at")
    clock.schedule(after: time, tolerance: .zero, options: options) { [timeline] in
      let first = timeline.eventCount + 1
      script.run(address, action)
      if let event = timeline.event(first) { script.note(deed: event.deed, of: address) }
    }
  }

  // MARK: Entering the world

  /// Makes this the world of all code in the process, also of threads that don't know it. A program
  /// with one world does this.
  package func becomeSoleWorld() { SchedulingScope.setSoleBackend(backend) }

  /// Runs a body in this world. Verbs and `withWorld` do this by themselves.
  package func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
    if backend.hasEnded { reportUseAfterEnd() }
    backend.noteDriver()
    return try VirtualTimeScope.$scheduler.withValue(clock) {
      try SchedulingScope.enter(backend) { try timeline.recording(body) }
    }
  }

  /// Runs an asynchronous body in this world.
  package func enter<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await VirtualTimeScope.$scheduler.withValue(
      clock,
      operation: {
        try await SchedulingScope.enter(backend, isolation: isolation) {
          try await timeline.recording(isolation: isolation, body)
        }
      }, isolation: isolation)
  }

  private func reportUseAfterEnd() {
    onFailure("the world of a test was used after the test: make one in each test")
  }

  // MARK: The record

  /// The record as a transcript, one line for each event. See `Recording.transcript()`.
  public var transcript: String {
    for read in state.withLock({ $0.transcriptReaders }) { read() }
    return timeline.recording.transcript()
  }

  /// A text output stream that writes to the record. `print("load", to: world.console)` is the
  /// operator `print(_:to:)`, with its output in the transcript.
  public var console: Console { Console(timeline: timeline) }

  /// What a user would notice of the run so far.
  package var outcome: RunOutcome {
    var others: [String: [String]] = [:]
    for read in state.withLock({ $0.recorders }) {
      let (name, events) = read()
      others[name, default: []] += events
    }
    for read in state.withLock({ $0.transcriptReaders }) { read() }
    return RunOutcome(.init(title: nil, events: timeline.recording.events), others: others)
  }

  /// Adds a recorder without a lane, whose events count as delivered.
  ///
  /// - Parameter read: Returns its name and its events.
  package func addToOutcome(_ read: @escaping @Sendable () -> (name: String, events: [String])) {
    state.withLock { $0.recorders.append(read) }
  }

  // MARK: The end

  /// Calls a closure whenever the test looks at the events of a recorder by reading the record.
  ///
  /// - Parameter isInTimeline: Whether the ``timeline`` has these events, so that reading it in any
  ///   format counts. If not, only the ``transcript`` does.
  package func onRecordRead(isInTimeline: Bool, _ read: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if isInTimeline {
        state.recordReaders.append(read)
      } else {
        state.transcriptReaders.append(read)
      }
    }
  }

  /// Adds a check that runs when the world ends.
  package func atEnd(_ check: @escaping @Sendable () -> [Problem]) {
    state.withLock { $0.checks.append(check) }
  }

  /// Makes schedulers work as usual again, and lets go of everything. It can be called twice.
  package func close() {
    guard backend.end() else { return }
    // Released outside the lock.
    _ = state.withLock { state in
      defer {
        (state.checks, state.transcriptReaders, state.recordReaders, state.recorders) = (
          [], [], [], []
        )
        state.expectations = []
      }
      return (
        state.checks, state.transcriptReaders, state.recordReaders, state.recorders,
        state.expectations
      )
    }
    SchedulingScope.end()
    network.invalidate()
    clock.dropPendingWork()
    actionAttachment.cancel()
    for attachment in taskAttachments { attachment.cancel() }
    backend.dropActions()
  }

  deinit { close() }

  /// Notes an event for the end of the world, if the calling code is outside.
  ///
  /// - Parameters:
  ///   - event: The event, such as `value 1`.
  ///   - stream: Where it belongs, such as `in the lane out`.
  package func noteIfOutside(_ event: @autoclosure () -> String, _ stream: String) {
    if backend.place == .outside { noteStray("\"\(event())\" \(stream)", stream) }
  }

  /// Notes something that came from outside the world.
  func noteStray(_ description: String, _ stream: String) {
    let stray = Stray(
      description: description, stream: stream, time: clock.now,
      task: SchedulingScope.currentTaskName, site: takeSite?())
    state.withLock { $0.strays.append(stray) }
  }
}

extension Timeline.Event {
  /// The event as the name of the action that it begins: `typed sw`, `late subscribed`.
  fileprivate var deed: String {
    let words = lane.role == .console ? "\(kind)" : "\(lane.name) \(kind)"
    return words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
