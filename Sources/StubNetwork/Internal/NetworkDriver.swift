import Foundation
import Streams
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What works behind a ``StubNetwork``: it puts the answers to requests on the clock, one step at a
/// time, and makes the session's client say them.
///
/// Apart from the network, so that tasks and clock can refer to it while the network goes away.
final class NetworkDriver: Sendable {
  private struct State {
    var script = StubScript()
    var requests = 0
    /// What is on its way, by birth of the task.
    var loads: [Int: Load] = [:]
    var refusals: [String] = []
    var sessions: [URLSession] = []
    var events: [NetworkEvent] = []
    var observers: [@Sendable (NetworkEvent) -> Void] = []
  }

  let clock: VirtualTimeScheduler
  let settler: Settler
  private let onFailure: @Sendable (String) -> Void
  private let state = Locked(State())

  init(
    clock: VirtualTimeScheduler, settler: Settler, onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.clock = clock
    self.settler = settler
    self.onFailure = onFailure
  }

  func add(_ pattern: RequestPattern, answers: [Answer], source: String) {
    state.withLock { $0.script.add(pattern, answers: answers, source: source) }
  }

  func add(_ service: StubScript.Service) {
    state.withLock { $0.script.add(service) }
  }

  func makeSession(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?
  ) -> URLSession {
    precondition(!settler.isInvalidated, "an invalidated StubNetwork makes no more sessions")
    settler.attach(to: configuration)
    let session = StubSession(configuration: configuration, delegate: delegate, settler: settler)
    state.withLock { $0.sessions.append(session) }
    return session
  }

  // MARK: Running

  func run(pace: (VirtualTime) -> Void) {
    clock.run {
      guard settle() else { return false }
      if let due = clock.nextDue { pace(due) }
      return true
    }
  }

  /// - Returns: Whether all is quiet; it was reported otherwise.
  @discardableResult
  func settle() -> Bool {
    let outcome = settler.settle(read)
    if outcome != .isSettling, settler.isInvalidated { settler.mailbox.close() }
    switch outcome {
    case .quiet: return true
    case .isSettling:
      onFailure("settling cannot wait for itself: it was asked for from inside, or by two threads")
    case .timedOut:
      onFailure(
        "settling took too long: work comes without end, or a fenced queue is blocked; \(waiting)")
    }
    return false
  }

  private var waiting: String {
    let loads = state.withLock { $0.loads.values.sorted { $0.number < $1.number } }
    guard !loads.isEmpty else { return "no request is open" }
    return "open requests: "
      + loads.map { "\($0.number) (\($0.stub.request.summary))" }.joined(separator: ", ")
  }

  /// Cancels all tasks of all sessions and runs what follows from that.
  func invalidate() {
    settler.invalidate()
    let sessions = state.withLock { state in
      defer { state.sessions = [] }
      return state.sessions
    }
    for session in sessions { session.invalidateAndCancel() }
    // Inside of a callback the settling that runs it goes on with this, and closes the mailbox.
    if settler.settle(read) != .isSettling { settler.mailbox.close() }
  }

  // MARK: What sessions did

  private func read(_ notes: [Settler.Note]) {
    for note in notes {
      if note.isStarted { start(note) }
      if note.isStopped { stop(note.stub) }
    }
  }

  private func start(_ note: Settler.Note) {
    let birth = note.stub.birth
    guard !settler.isInvalidated else { return endLate(note.stub) }
    // A start of what is on its way comes from another `resume()`.
    if !state.withLock({ $0.loads[birth] != nil }) { open(note) }
    scheduleNextStep(of: birth)
  }

  /// Ends a task that was made after the end of the network.
  private func endLate(_ stub: StubURLProtocol) {
    settler.call(stub) { $0.urlProtocol(stub, didFailWithError: URLError(.cancelled)) }
    settler.end(stub.birth)
  }

  private func open(_ note: Settler.Note) {
    var request = note.stub.request
    request.readBodyStream()
    let (number, reply) = state.withLock { state in
      state.requests += 1
      let refusal = note.stub.task?.refusal
      return (state.requests, refusal.map { .refusal($0) } ?? state.script.reply(to: request))
    }
    let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
    emit(number, .started(method, url: request.url?.absoluteString ?? ""))
    let load = Load(
      number: number, stub: note.stub, answer: answer(reply, to: request, number),
      isStreaming: note.isStreaming)
    state.withLock { $0.loads[note.stub.birth] = load }
  }

  private func answer(
    _ reply: StubScript.Reply, to request: URLRequest, _ number: Int
  ) -> Answer {
    switch reply {
    case .answer(let given):
      return given
    case .service(let service):
      return answer(service.reply(to: request), to: request, number)
    case .refusal(let reason):
      state.withLock { $0.refusals.append("request \(number) at \(clock.now): \(reason)") }
      emit(number, .unmatched(reason))
      return .failure(.resourceUnavailable)
    }
  }

  private func stop(_ stub: StubURLProtocol) {
    switch stub.task?.state {
    case .running:
      break
    case .suspended:
      _ = state.withLock { $0.loads[stub.birth]?.suspend(at: clock.now) }
    default:
      settler.end(stub.birth)
      if let load = state.withLock({ $0.loads.removeValue(forKey: stub.birth) }) {
        emit(load.number, .cancelled(bytes: load.bytes))
      }
    }
  }

  // MARK: What comes from the network

  private func scheduleNextStep(of birth: Int) {
    guard let load = state.withLock({ $0.loads[birth] }), let delay = load.remaining else { return }
    let due = clock.now.advanced(by: delay)
    // A repeat that never repeats: unlike single work it can be cancelled, and then the clock does
    // not run on to its date.
    let token = clock.schedule(
      after: due, interval: .max, tolerance: .zero,
      options: .init(label: "request \(load.number)")
    ) { [weak self] in
      self?.step(birth)
    }
    state.withLock { $0.loads[birth]?.wait(until: due, token) }
  }

  private func step(_ birth: Int) {
    // What was cancelled or suspended by an action at this instant is left to settling.
    guard let stub = state.withLock({ $0.loads[birth]?.stub }), settler.isRunning(stub),
      let result = state.withLock({ $0.loads[birth]?.advance() }),
      let load = state.withLock({ $0.loads[birth] })
    else { return }
    result.token?.cancel()
    emit(load.number, result.event)
    if load.isOver { end(birth) }
    if let call = result.call {
      settler.call(load.stub) { call.perform(on: $0, for: load.stub) }
    }
    scheduleNextStep(of: birth)
  }

  private func end(_ birth: Int) {
    _ = state.withLock { $0.loads.removeValue(forKey: birth) }
    settler.end(birth)
  }

  // MARK: What is told

  func observe(_ observer: @escaping @Sendable (NetworkEvent) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  var events: [NetworkEvent] { state.withLock { $0.events } }

  var problems: [String] {
    state.withLock { $0.refusals + $0.script.ambiguities + $0.script.leftOvers }
  }

  private func emit(_ number: Int, _ kind: NetworkEvent.Kind) {
    let event = NetworkEvent(time: clock.now, request: number, kind: kind)
    let observers = state.withLock { state in
      state.events.append(event)
      return state.observers
    }
    for observer in observers { observer(event) }
  }
}

extension URLSessionTask {
  /// Why a session under a stub cannot do this kind of task; `nil` if it can.
  fileprivate var refusal: String? {
    switch self {
    case is URLSessionUploadTask:
      "the body of an upload task does not reach a stub: use a data task with an httpBody"
    case is URLSessionDataTask: nil
    case is URLSessionDownloadTask:
      "download tasks crash under a stub: use a data task"
    default: "only data tasks can be answered by a stub"
    }
  }
}

extension URLRequest {
  /// Turns a body that is a stream into data, so that it can be compared.
  fileprivate mutating func readBodyStream() {
    guard httpBody == nil, let stream = httpBodyStream else { return }
    stream.open()
    defer { stream.close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { break }
      body.append(contentsOf: buffer[..<count])
    }
    httpBody = body
  }
}
