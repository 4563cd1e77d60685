import Dispatch
import Foundation
import Streams
import VirtualTime

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
// take turns. `FoundationAssumptionsTests` fail if one of them changes, and `QuietTests` check
// random runs with a read of every open task.
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
    /// The code that started the task for the first time, if it's outside the world.
    var outsider: Outsider?
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
    /// The place of that code, if a report may name it.
    var site: (any WorkSite)?
    /// Whether a queue made the task that runs its blocks for the world.
    var isFromAttachedQueue = false
    /// The task, which its session keeps until it's resumed or cancelled.
    weak var task: URLSessionTask?
    /// The session that made the task; `nil` if it didn't say so.
    var session: ObjectIdentifier?
  }

  /// A queue of the user's.
  private struct FencedQueue: Sendable {
    let name: String
    /// Runs a closure when everything that was sent to the queue is done.
    let addBarrier: @Sendable (@escaping @Sendable () -> Void) -> Void
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
    /// The sessions of these tasks, if they are known.
    var sessions: [Int: ObjectIdentifier] = [:]
    var ended: Set<Int> = []
    var notes: [Int: Note] = [:]
    /// For tasks that weren't resumed or cancelled yet. Their sessions keep them alive until then.
    var announcements: [ObjectIdentifier: Announcement] = [:]
    /// The events that led to cancellations which weren't reported yet.
    var cancellationCauses: [ObjectIdentifier: Int] = [:]
    /// Whether a session may have work without an open task.
    var hasSessionWork = false
    /// Whether a session that the user has invalidated may still have its delegate.
    var hasInvalidatedSession = false
    var fencedQueues: [FencedQueue] = []
    var isSettling = false
    /// The thread that invalidated the network; `nil` before that.
    var closer: pthread_t?
    /// Whether no driver is left to respond.
    var isClosed = false
    /// How many tasks were refused before the network was invalidated.
    var refused = 0
    /// How many tasks were started since then.
    var late = 0
    /// The tasks that were refused, or were started too late.
    var problems = RefusalList()

    /// Whether a task that starts now is too late. While the network is being invalidated, the
    /// callbacks that this leads to may still start some, as those of a pipeline that retries.
    var isLate: Bool {
      isClosed || closer.map { pthread_equal($0, pthread_self()) == 0 } ?? false
    }

    /// Counts a task that ends without the clock.
    ///
    /// - Returns: Its number among those that were refused, or among those that were too late.
    mutating func countAnswer() -> Int {
      if closer == nil {
        refused += 1
        return refused
      }
      late += 1
      return late
    }
  }

  /// How many tasks are told that they were refused, and how many are told that they're too late.
  /// Such a task ends without the clock, which limits all others. So code that tries again without
  /// an end would never wait for anything: it would keep its test or the network from an end, and
  /// later the process busy. So the tasks after these hear nothing.
  private static let mostAnswers = 1_000

  let mailbox = Mailbox()
  private let timeout: DispatchTimeInterval
  private let log: RequestLog
  private let watch: (any RequestWatch)?
  private let state = Locked(State())

  /// - Parameters:
  ///   - log: Knows the event that the calling code follows from.
  ///   - watch: Knows which code makes requests; `nil` if that isn't wanted.
  ///   - timeout: How long a fenced queue may take by the wall clock.
  init(_ log: RequestLog, watch: (any RequestWatch)?, timeout: DispatchTimeInterval) {
    (self.log, self.watch, self.timeout) = (log, watch, timeout)
  }

  // MARK: Sessions

  /// Whether the network was invalidated, so that tasks are cancelled as soon as they start.
  var isInvalidated: Bool { state.withLock { $0.closer != nil } }

  /// Cancels all tasks, also those that weren't resumed, in the order of their numbers. When this
  /// returns, their callbacks wait in the mailbox.
  func invalidate() {
    // What an announcement keeps is released outside the lock.
    let (started, announcements) = state.withLock { state in
      defer { state.announcements = [:] }
      if state.closer == nil { state.closer = pthread_self() }
      return (state.tasks, state.announcements)
    }
    let unstarted = announcements.values.compactMap(\.task)
    let tasks =
      started.sorted { $0.key < $1.key }.map(\.value)
      + unstarted.sorted { $0.taskIdentifier < $1.taskIdentifier }
    for task in tasks { task.cancel() }
    if !tasks.isEmpty { Sentinel.shared.waitForWorkQueues() }
  }

  /// Ends the settling of an invalidated network: from now on, tasks fail on their work queues.
  ///
  /// - Returns: What other threads have noted since the last pass.
  func close() -> [Note] {
    // The tasks are released outside the lock.
    let (notes, _) = state.withLock { state in
      defer { (state.notes, state.tasks, state.sessions) = ([:], [:], [:]) }
      state.isClosed = true
      return (state.notes, state.tasks)
    }
    mailbox.close()
    return notes.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether a session has a task that wasn't resumed, or hasn't ended. Async functions don't say
  /// which session they make theirs in, so these count for all.
  func hasTasks(of session: URLSession) -> Bool {
    let id = ObjectIdentifier(session)
    return state.withLock { state in
      state.announcements.values.contains { $0.session == id && $0.task != nil }
        || state.tasks.keys.contains { (state.sessions[$0] ?? id) == id }
    }
  }

  // MARK: Notes from sessions

  /// Notes that a task was started or cancelled for the first time.
  ///
  /// - Returns: The number of the task (the first one is 1), and why a stub can't respond to
  ///   it, if it can't.
  func noteCreation(of stub: StubURLProtocol) -> (number: Int, refusal: String?) {
    guard let task = stub.task else { return (0, nil) }
    // This runs inside `resume()` or `cancel()`, which have set the state.
    let isStart = task.state == .running
    let id = ObjectIdentifier(task)
    let outsider = isStart ? watch?.outsider : nil
    let (number, announcement, isLate) = state.withLock { state in
      let announcement = state.announcements.removeValue(forKey: id) ?? Announcement()
      if state.isClosed { return (0, announcement, true) }
      state.taskCount += 1
      state.tasks[state.taskCount] = task
      state.sessions[state.taskCount] = announcement.session
      state.notes[state.taskCount] = Note(
        stub: stub, announcement: announcement,
        outsider: announcement.isFromAttachedQueue ? nil : outsider)
      return (state.taskCount, announcement, state.isLate)
    }
    if isLate, isStart { noteLate(stub.request) }
    return (number, isLate ? nil : task.refusal(announcement))
  }

  /// Reports a request that was made after the network was invalidated.
  private func noteLate(_ request: URLRequest) {
    state.withLock {
      $0.problems.note(
        "\(request.summary) was made after the network was invalidated, so it was cancelled")
    }
    watch?.noteLate(request.summary)
  }

  /// Notes that a task was started.
  ///
  /// - Returns: The error that the task fails with at once; `nil` if a stub may respond.
  func noteStart(of stub: StubURLProtocol) -> URLError? {
    let refusal = stub.refusal
    let (isClosed, answer) = state.withLock { state in
      // A stub may respond, by the clock.
      let answer = state.closer == nil && refusal == nil ? 0 : state.countAnswer()
      if !state.isClosed, answer <= Self.mostAnswers {
        state.notes[stub.taskNumber, default: Note(stub: stub)].isStarted = true
      }
      return (state.isClosed, answer)
    }
    let error: URLError? =
      isClosed ? URLError(.cancelled) : refusal.map { refuse(stub.request, $0) }
    guard isAnswered(answer, stub.request), let error else { return nil }
    mailbox.noteWorkQueue(of: stub.taskNumber)
    return error
  }

  /// Reports the first task that hears nothing.
  ///
  /// - Parameter answer: The number of the task: see `countAnswer()`.
  /// - Returns: Whether the task is told how it ends.
  private func isAnswered(_ answer: Int, _ request: URLRequest) -> Bool {
    if answer == Self.mostAnswers + 1 {
      let isLate = isInvalidated
      let fate = isLate ? "too late" : "refused"
      let reason =
        "\(Self.mostAnswers) requests before it were \(fate), so end the loop that makes them"
      state.withLock { $0.problems.note("\(request.summary) hears nothing", because: reason) }
      if isLate { watch?.noteLate(request.summary) }
    }
    return answer <= Self.mostAnswers
  }

  func noteStop(of stub: StubURLProtocol) {
    mailbox.noteWorkQueue(of: stub.taskNumber)
    state.withLock { state in
      if !state.isClosed {
        state.notes[stub.taskNumber, default: Note(stub: stub)].isStopped = true
      }
    }
  }

  /// Reports a web socket, whose task starts outside the network.
  ///
  /// - Returns: Whether the task is told that it failed.
  func refuseWebSocket(_ request: URLRequest, _ reason: String) -> Bool {
    let answer = state.withLock { $0.countAnswer() }
    _ = refuse(request, reason)
    return isAnswered(answer, request)
  }

  /// Reports a request that a stub can't respond to, whichever stubs there are.
  ///
  /// - Returns: The error that it fails with.
  private func refuse(_ request: URLRequest, _ reason: String) -> URLError {
    let first = "\(request.summary) is refused"
    let isLate = state.withLock { state in
      if !state.isLate { state.problems.note(first, because: reason) }
      return state.isLate
    }
    if isLate { noteLate(request) }
    return URLError(
      .resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: "\(first): \(reason)"])
  }

  /// One sentence for the tasks that were refused, or were started too late, for each request and
  /// reason.
  var problems: [String] { state.withLock { $0.problems.problems } }

  /// Keeps what a session says about a task that it has made.
  func announce(
    _ task: URLSessionTask, of session: URLSession, isStreaming: Bool = false,
    uploadBody: UploadBody? = nil, download: Download? = nil, recipient: TaskRecipient? = nil
  ) {
    let announcement = Announcement(
      isStreaming: isStreaming, uploadBody: uploadBody, download: download, recipient: recipient,
      cause: log.current, site: watch?.site,
      isFromAttachedQueue: watch?.isOnAttachedQueue ?? false, task: task,
      session: ObjectIdentifier(session))
    let id = ObjectIdentifier(task)
    state.withLock { state in
      guard !state.isClosed else { return }
      // A task that never started may have left something, and this one may have its address.
      state.announcements[id] = announcement
      state.cancellationCauses[id] = nil
    }
  }

  /// Notes which event leads to the cancellation of a task.
  func noteCancellation(of task: URLSessionTask) {
    guard let cause = log.current, task.state == .running || task.state == .suspended else {
      return
    }
    state.withLock { $0.cancellationCauses[ObjectIdentifier(task)] = cause }
  }

  /// The event that led to the cancellation of a task.
  func takeCancellationCause(of stub: StubURLProtocol) -> Int? {
    guard let task = stub.task else { return nil }
    return state.withLock { $0.cancellationCauses.removeValue(forKey: ObjectIdentifier(task)) }
  }

  /// Makes the next pass wait for the work of sessions, even if no task is open.
  func noteWork() { state.withLock { $0.hasSessionWork = true } }

  /// Makes the next passes wait for the end of a session that the user has invalidated.
  func noteInvalidatedSession() {
    state.withLock { ($0.hasSessionWork, $0.hasInvalidatedSession) = (true, true) }
  }

  // MARK: Calls from the driver

  /// Whether a session that the user has invalidated may still have its delegate.
  var hasInvalidatedSession: Bool {
    get { state.withLock { $0.hasInvalidatedSession } }
    set { state.withLock { $0.hasInvalidatedSession = newValue } }
  }

  /// Makes each pass wait for a queue.
  func fence(
    _ name: String, addBarrier: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    state.withLock { $0.fencedQueues.append(FencedQueue(name: name, addBarrier: addBarrier)) }
  }

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
        for taskNumber in state.ended {
          state.tasks[taskNumber] = nil
          state.sessions[taskNumber] = nil
        }
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
      for (index, queue) in queues.enumerated() {
        let passed = DispatchSemaphore(value: 0)
        queue.addBarrier { passed.signal() }
        if passed.wait(timeout: deadline) == .success { continue }
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
