import Dispatch
import Foundation
import Streams

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// How the network knows that nothing is pending
// =============================================
//
// A URLSession calls back from its own queues. To drive it by virtual time, the network has to know
// when the session is quiet, without waiting for the wall clock. This is how it knows for certain:
//
// 1. All sessions share a delegate queue that runs nothing by itself: the ``Mailbox`` keeps the
//    callbacks, and the driver runs them. So user code runs only when the driver lets it.
// 2. Only the driver's calls and the tasks' work queues add callbacks.
// 3. Reading a task's `priority` hops synchronously through the task's work queue, which is serial.
//    All work queues of the process take turns on one queue. So when a few reads of one task's
//    priority have returned, all of them have finished their work. That is the fence: see
//    ``Sentinel``. It costs the same for any number of open tasks.
// 4. So if a pass fences everything, and then finds the mailbox empty and no note that a task was
//    created, started or stopped, nothing is pending.
//
// The loop is: fences, then notes, then callbacks, until a pass finds nothing. It's the clock's:
// the network is attached to it, and does one pass each time the clock asks. Calls to a session's
// client also come after a fence, so only one thread at a time touches the session's state.
//
// Notes are read in the order of their tasks' numbers, and so are callbacks. Several work queues
// can act in any order between two fences, and that order must not show.
//
// This relies on three facts about swift-corelibs-foundation: sessions call `addOperation`, which
// can be overridden; `priority` hops through the work queue; and the work queues of all sessions
// take turns. `FoundationAssumptionsTests` fail if one of them changes, and `SettlingAuditTests`
// check the verdicts of random runs with a read of every open task.
//
// Work on the user's own queues, timers and Tasks isn't seen, unless it has a fence here.

/// Runs a network's sessions until they are quiet.
final class Settler: Sendable {
  /// Whether a session created, started or stopped a task since notes were last taken.
  struct Note {
    let stub: StubURLProtocol
    var isStarted = false
    var isStopped = false
    var announcement = Announcement()
  }

  /// Facts about a task that its session tells when it makes it. The task doesn't tell them.
  struct Announcement {
    /// Whether the task streams to its session's delegate.
    var isStreaming = false
    /// The body of an upload task.
    var uploadBody: UploadBody?
    /// The bytes of a download task.
    var download: Download?
    /// Who is told how much of the body was sent.
    var recipient: TaskRecipient?
    /// The event that the code which made the task follows from.
    var cause: Int?
  }

  /// A queue of the user's.
  enum FencedQueue: Sendable {
    case dispatch(DispatchQueue)
    case operations(OperationQueue)
  }

  enum Outcome: Equatable {
    case quiet
    case foundWork
    /// Settling is already under way, further up the call stack or on a second thread.
    case isSettling
    /// This queue didn't get through its fence in time. It isn't fenced any more.
    case blocked(String)
  }

  private struct State {
    /// How many tasks were created so far.
    var taskCount = 0
    /// Tasks that may have work on their work queues, by number.
    var tasks: [Int: URLSessionTask] = [:]
    var ended: Set<Int> = []
    var notes: [Int: Note] = [:]
    /// For tasks that weren't resumed or cancelled yet. Their sessions keep them alive until then.
    var announcements: [ObjectIdentifier: Announcement] = [:]
    /// The events that led to cancellations which weren't reported yet.
    var cancellationCauses: [ObjectIdentifier: Int] = [:]
    /// Whether a session may have work without an open task.
    var hasSessionWork = false
    /// The protocol class of the sessions for tasks that come too late.
    var lateClass: SessionClass?
    var fencedQueues: [FencedQueue] = []
    var isSettling = false
    var isInvalidated = false
  }

  let mailbox = Mailbox()
  private let timeout: DispatchTimeInterval
  private let audit: SettlingAudit?
  let causes: (any CauseTracking)?
  private let state = Locked(State())

  /// - Parameters:
  ///   - timeout: How long a fenced queue may take by the wall clock.
  ///   - audit: Receives the result of checking each verdict that all sessions are quiet; `nil` not
  ///     to check any.
  ///   - causes: Follows causes and effects; `nil` if that isn't wanted.
  init(
    timeout: DispatchTimeInterval = .seconds(10), audit: SettlingAudit? = nil,
    causes: (any CauseTracking)? = nil
  ) {
    self.timeout = timeout
    self.audit = audit
    self.causes = causes
  }

  // MARK: Sessions

  /// Makes a session for a task that is created after the network was invalidated.
  func makeLateSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    let lateClass = state.withLock { state in
      let lateClass = state.lateClass ?? SessionClass(of: self, .plain)
      state.lateClass = lateClass
      return lateClass
    }
    lateClass.attach(to: configuration)
    return URLSession(configuration: configuration, delegate: nil, delegateQueue: mailbox)
  }

  /// Whether the network was invalidated, so that its sessions must not create tasks.
  var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  func invalidate() { state.withLock { $0.isInvalidated = true } }

  // MARK: Notes from sessions

  /// - Returns: The number of the task. The first one is 1.
  func noteCreation(of stub: StubURLProtocol) -> Int {
    state.withLock { state in
      state.taskCount += 1
      guard let task = stub.task else { return state.taskCount }
      state.tasks[state.taskCount] = task
      let announcement = state.announcements.removeValue(forKey: ObjectIdentifier(task))
      state.notes[state.taskCount] = Note(
        stub: stub, announcement: announcement ?? Announcement())
      return state.taskCount
    }
  }

  func noteStart(of stub: StubURLProtocol) {
    state.withLock { $0.notes[stub.taskNumber, default: Note(stub: stub)].isStarted = true }
  }

  func noteStop(of stub: StubURLProtocol) {
    mailbox.noteWorkQueue(of: stub.taskNumber)
    state.withLock { $0.notes[stub.taskNumber, default: Note(stub: stub)].isStopped = true }
  }

  /// Keeps what a session says about a task that it has made.
  func announce(
    _ task: URLSessionTask, isStreaming: Bool = false, uploadBody: UploadBody? = nil,
    download: Download? = nil, recipient: TaskRecipient? = nil
  ) {
    let cause = causes?.current
    let hasNews =
      isStreaming || uploadBody != nil || download != nil || recipient != nil || cause != nil
    guard hasNews || causes != nil else { return }
    let announcement =
      hasNews
      ? Announcement(
        isStreaming: isStreaming, uploadBody: uploadBody, download: download,
        recipient: recipient, cause: cause) : nil
    let id = ObjectIdentifier(task)
    state.withLock { state in
      // A task that never started may have left something, and this one may have its address.
      state.announcements[id] = announcement
      state.cancellationCauses[id] = nil
    }
  }

  /// Notes which event leads to the cancellation of a task.
  func noteCancellation(of task: URLSessionTask) {
    guard let cause = causes?.current, task.state == .running || task.state == .suspended else {
      return
    }
    state.withLock { $0.cancellationCauses[ObjectIdentifier(task)] = cause }
  }

  /// The event that led to the cancellation of a task.
  func takeCancellationCause(of stub: StubURLProtocol) -> Int? {
    guard causes != nil, let task = stub.task else { return nil }
    return state.withLock { $0.cancellationCauses.removeValue(forKey: ObjectIdentifier(task)) }
  }

  /// Makes the next pass wait for the work of sessions, even if no task is open.
  func noteWork() { state.withLock { $0.hasSessionWork = true } }

  // MARK: Calls from the driver

  func add(_ queue: FencedQueue) { state.withLock { $0.fencedQueues.append(queue) } }

  /// Whether a task is running: neither suspended nor cancelled, nor about to be.
  ///
  /// When this returns, the task and its session have no work left until the caller makes some,
  /// because a task's work queue goes through its session's.
  func isRunning(_ stub: StubURLProtocol) -> Bool {
    guard let task = stub.task else { return false }
    _ = task.priority
    return task.state == .running
  }

  /// Calls a task's client, if the task is running.
  func call(_ stub: StubURLProtocol, _ body: (any URLProtocolClient) -> Void) {
    guard isRunning(stub), let client = stub.client else { return }
    mailbox.withOrigin(stub.taskNumber) { body(client) }
  }

  /// Marks a task as ended. It needs no fence once everything is quiet.
  func end(_ taskNumber: Int) {
    _ = state.withLock { $0.ended.insert(taskNumber) }
  }

  /// Waits for all queues, and does the work that they have left: one pass of the loop above.
  ///
  /// - Parameters:
  ///   - read: Receives the notes from sessions, in the order of their tasks' numbers.
  ///   - run: Runs a callback of the task with this number.
  func settleOnce(
    _ read: ([Note]) -> Void, running run: (Int, () -> Void) -> Void
  ) -> Outcome {
    let isFirst = state.withLock { state in
      defer { state.isSettling = true }
      return !state.isSettling
    }
    guard isFirst else { return .isSettling }
    let blocked = passFences(until: .now() + timeout)
    fenceTasks()
    let notes = takeNotes()
    if !notes.isEmpty { read(notes) }
    let callbacks = mailbox.takeAll()
    for callback in callbacks {
      mailbox.withOrigin(callback.origin) { run(callback.origin, callback.block) }
    }
    let isQuiet = notes.isEmpty && callbacks.isEmpty
    state.withLock { state in
      state.isSettling = false
      if isQuiet {
        for taskNumber in state.ended { state.tasks[taskNumber] = nil }
        state.ended = []
      }
    }
    return blocked.map { .blocked($0) } ?? (isQuiet ? .quiet : .foundWork)
  }

  /// - Returns: The name of a queue that didn't get through in time.
  private func passFences(until deadline: DispatchTime) -> String? {
    let queues = state.withLock { $0.fencedQueues }
    // As many rounds as there are queues, because work may hop from the last one to the first.
    for _ in queues {
      for (index, queue) in queues.enumerated() where !queue.pass(until: deadline) {
        _ = state.withLock { $0.fencedQueues.remove(at: index) }
        return queue.name
      }
    }
    return nil
  }

  /// Waits until the work queues of all tasks and sessions have finished what they had to do.
  private func fenceTasks() {
    let mayHaveWork = state.withLock { state in
      defer { state.hasSessionWork = false }
      return state.hasSessionWork || !state.tasks.isEmpty
    }
    if mayHaveWork { Sentinel.shared.waitForWorkQueues() }
    if let audit { check(audit) }
  }

  /// If everything looks quiet, fences each open task to see whether it is.
  private func check(_ audit: SettlingAudit) {
    guard isQuiet else { return }
    let tasks = state.withLock { Array($0.tasks.values) }
    // Twice, because a task's work queue may send to its session's.
    for task in tasks + tasks { _ = task.priority }
    audit.record(openTasks: tasks.count, isMiss: !isQuiet)
  }

  /// Whether nothing waits for the next settling.
  var isQuiet: Bool { state.withLock { $0.notes.isEmpty } && mailbox.isEmpty }

  private func takeNotes() -> [Note] {
    let notes = state.withLock { state in
      defer { if !state.notes.isEmpty { state.notes = [:] } }
      return state.notes
    }
    return notes.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Settler.FencedQueue {
  fileprivate var name: String {
    switch self {
    case .dispatch(let queue): "\"\(queue.label)\""
    case .operations(let queue): "\"\(queue.name ?? "")\""
    }
  }

  /// Waits until everything that was sent to the queue is done.
  ///
  /// - Returns: Whether that happened in time.
  fileprivate func pass(until deadline: DispatchTime) -> Bool {
    let passed = DispatchSemaphore(value: 0)
    switch self {
    case .dispatch(let queue): queue.async(flags: .barrier) { passed.signal() }
    case .operations(let queue): queue.addBarrierBlock { passed.signal() }
    }
    return passed.wait(timeout: deadline) == .success
  }
}
