import Dispatch
import Foundation
import Streams

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// How one knows that everything has happened that follows from an event of the stub
// ==================================================================================
//
// A URLSession calls back from queues of its own. To drive it by virtual time, one has to know
// when it is quiet, without waiting for the wall clock. Quiet is a fact here, not a guess:
//
// 1. All sessions share a delegate queue that runs nothing: the ``Mailbox`` keeps the blocks, and
//    the driver runs them. So user code runs only when the driver says so.
// 2. Blocks are added by calls of the driver, or by a task's work queue.
// 3. Reading a task's `priority` hops synchronously through its work queue, which is serial: when
//    the read returns, all that the queue had to do is done. That is the fence.
// 4. So a pass that fences everything, and then finds an empty mailbox and no note of a task that
//    was born, started or stopped, means that nothing is pending.
//
// Thus the loop: fences, then notes, then letters, until a pass finds nothing. A client call, too,
// is made only after a fence: the session's state is touched by one thread at a time.
//
// Notes are taken in order of birth, letters in order of the birth of the task they come from:
// what several work queues did between two fences comes in any order, and must not show.
//
// This relies on two facts about swift-corelibs-foundation: `addOperation` can be overridden and
// is what sessions call, and `priority` hops through the work queue. `FoundationAssumptionsTests`
// fail if either changes.
//
// What a queue, a timer or a Task of the user's holds is not seen, unless it has a fence here.

/// Runs a network's sessions until they are quiet.
final class Settler: Sendable {
  /// What a session did with a task, since the last look.
  struct Note {
    let stub: StubURLProtocol
    var isStarted = false
    var isStopped = false
    /// Whether the task streams to its session's delegate.
    var isStreaming = false
  }

  enum Fence: Sendable {
    case queue(DispatchQueue)
    /// Runs what is pending; says whether there was anything.
    case body(@Sendable () -> Bool)
  }

  enum Outcome: Equatable {
    case quiet
    /// Settling settles already, further up this call or on another thread.
    case isSettling
    /// Work came without end, or a queue did not get through its fence.
    case timedOut
  }

  private struct State {
    var births = 0
    /// Tasks that may have something on their work queues, by birth.
    var tasks: [Int: URLSessionTask] = [:]
    var ended: Set<Int> = []
    var notes: [Int: Note] = [:]
    var streaming: Set<ObjectIdentifier> = []
    var fences: [Fence] = []
    var isSettling = false
    var isInvalidated = false
  }

  let mailbox = Mailbox()
  private let number = NetworkRegistry.shared.reserve()
  private let timeout: DispatchTimeInterval
  private let state = Locked(State())

  /// - Parameter timeout: How long settling may take by the wall clock.
  init(timeout: DispatchTimeInterval = .seconds(10)) { self.timeout = timeout }

  // Sessions keep the settler: the number is free when there is nobody left to use it.
  deinit { NetworkRegistry.shared.release(number) }

  // MARK: Sessions

  /// Makes sessions of this configuration load from the stub.
  func attach(to configuration: URLSessionConfiguration, waitsForConnectivity: Bool = false) {
    configuration.protocolClasses = [
      NetworkRegistry.shared.connect(self, to: number, waitsForConnectivity: waitsForConnectivity)
    ]
    // A cache would look protocols up on a queue of its own, past every fence.
    configuration.urlCache = nil
  }

  /// Makes a session for one task that comes after the end.
  func makeLateSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    attach(to: configuration)
    return URLSession(configuration: configuration, delegate: nil, delegateQueue: mailbox)
  }

  /// Whether sessions make no more tasks.
  var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  func invalidate() { state.withLock { $0.isInvalidated = true } }

  // MARK: What sessions do

  /// - Returns: The birth number of the task; the first is 1.
  func noteBirth(of stub: StubURLProtocol) -> Int {
    state.withLock { state in
      state.births += 1
      guard let task = stub.task else { return state.births }
      state.tasks[state.births] = task
      let isStreaming = state.streaming.remove(ObjectIdentifier(task)) != nil
      state.notes[state.births] = Note(stub: stub, isStreaming: isStreaming)
      return state.births
    }
  }

  func noteStart(of stub: StubURLProtocol) {
    state.withLock { $0.notes[stub.birth, default: Note(stub: stub)].isStarted = true }
  }

  func noteStop(of stub: StubURLProtocol) {
    mailbox.noteWorkQueue(of: stub.birth)
    state.withLock { $0.notes[stub.birth, default: Note(stub: stub)].isStopped = true }
  }

  func noteStreaming(_ task: URLSessionTask) {
    _ = state.withLock { $0.streaming.insert(ObjectIdentifier(task)) }
  }

  // MARK: What the driver does

  func add(_ fence: Fence) { state.withLock { $0.fences.append(fence) } }

  /// Whether a task is neither suspended nor cancelled, nor about to be.
  ///
  /// Until the caller does something else, neither the task nor its session has anything else to
  /// do: the work queue of a task goes through the session's.
  func isRunning(_ stub: StubURLProtocol) -> Bool {
    guard let task = stub.task else { return false }
    _ = task.priority
    return task.state == .running
  }

  /// Calls a task's client, if the task is running.
  func call(_ stub: StubURLProtocol, _ body: (any URLProtocolClient) -> Void) {
    guard isRunning(stub), let client = stub.client else { return }
    mailbox.withOrigin(stub.birth) { body(client) }
  }

  /// Says that a task needs no fence any more, when all is quiet.
  func end(_ birth: Int) {
    _ = state.withLock { $0.ended.insert(birth) }
  }

  /// Runs letters and fences until there is nothing left.
  ///
  /// - Parameter read: Is handed what sessions did, in order of birth.
  func settle(_ read: ([Note]) -> Void) -> Outcome {
    let isFirst = state.withLock { state in
      defer { state.isSettling = true }
      return !state.isSettling
    }
    guard isFirst else { return .isSettling }
    let outcome = settle(until: .now() + timeout, read)
    state.withLock { state in
      state.isSettling = false
      if outcome == .quiet {
        for birth in state.ended { state.tasks[birth] = nil }
        state.ended = []
      }
    }
    return outcome
  }

  private func settle(until deadline: DispatchTime, _ read: ([Note]) -> Void) -> Outcome {
    while true {
      guard let ranFence = passFences(until: deadline) else { return .timedOut }
      fenceTasks()
      let notes = takeNotes()
      if !notes.isEmpty { read(notes) }
      let letters = mailbox.takeAll()
      for letter in letters { mailbox.withOrigin(letter.origin, letter.block) }
      if !ranFence, notes.isEmpty, letters.isEmpty { return .quiet }
      if DispatchTime.now() > deadline { return .timedOut }
    }
  }

  /// - Returns: Whether one ran something; `nil` if a queue did not get through.
  private func passFences(until deadline: DispatchTime) -> Bool? {
    let fences = state.withLock { $0.fences }
    var ranSomething = false
    // As many rounds as fences: work may hop from the last queue to the first one.
    for _ in fences {
      for fence in fences {
        switch fence {
        case .body(let body):
          if body() { ranSomething = true }
        case .queue(let queue):
          let passed = DispatchSemaphore(value: 0)
          queue.async(flags: .barrier) { passed.signal() }
          guard passed.wait(timeout: deadline) == .success else { return nil }
        }
      }
    }
    return ranSomething
  }

  private func fenceTasks() {
    for task in state.withLock({ Array($0.tasks.values) }) { _ = task.priority }
  }

  private func takeNotes() -> [Note] {
    let notes = state.withLock { state in
      defer { state.notes = [:] }
      return state.notes
    }
    return notes.sorted { $0.key < $1.key }.map(\.value)
  }
}
