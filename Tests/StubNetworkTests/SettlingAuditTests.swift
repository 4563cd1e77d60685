import StreamsFoundation
import TestSupport
import Testing
import VirtualTime

@testable import StubNetwork

/// Random runs whose every verdict "all sessions are quiet" is checked with a fence through each
/// open task. The settler itself looks at none of them.
@Suite(.serialized) struct SettlingAuditTests {
  @Test(arguments: 1...6) func noVerdictIsWrong(seed: UInt64) {
    let script = RandomScript(seed: seed, audit: SettlingAudit())
    script.run()
    #expect(script.audit.counts.misses == 0)
    #expect(script.audit.counts.verdicts > 500)
    #expect(script.audit.counts.widest >= 200)
  }

  @Test func noVerdictIsWrongOnABusyMachine() {
    let isDone = Locked(false)
    let histories = Locked<[[String]]>([])
    onThreads(3) { index in
      guard index == 0 else {
        while !isDone.withLock({ $0 }) {}
        return
      }
      for _ in 1...2 {
        let script = RandomScript(seed: 7, audit: SettlingAudit())
        script.run()
        #expect(script.audit.counts.misses == 0)
        histories.withLock { $0.append(script.lines) }
      }
      isDone.withLock { $0 = true }
    }
    let all = histories.withLock { $0 }
    #expect(all.count == 2)
    #expect(all.allSatisfy { $0 == all[0] })
  }

  @Test func anAuditDoesNotChangeTheRun() {
    let (audited, plain) = (
      RandomScript(seed: 3, audit: SettlingAudit()), RandomScript(seed: 3, audit: nil)
    )
    audited.run()
    plain.run()
    #expect(audited.lines.count > 1_000)
    #expect(audited.lines == plain.lines)
  }
}

/// A random run on three sessions, one of them with a delegate: 300 tasks, most of them open at the
/// same time. Some are cancelled, some are suspended and resumed, and failed ones try again.
private final class RandomScript: Sendable {
  let audit: SettlingAudit
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let delegate: StreamingDelegate
  private let sessions: [URLSession]
  private let random: Locked<SplitMix64>
  private let ownLines = Locked<[String]>([])

  init(seed: UInt64, audit: SettlingAudit?) {
    let settler = Settler(audit: audit)
    self.audit = audit ?? SettlingAudit()
    network = StubNetwork(clock: clock, settler: settler) { Issue.record("\($0)") }
    delegate = StreamingDelegate(clock)
    sessions = [
      network.makeSession(), network.makeSession(waitsForConnectivity: true),
      network.makeSession(delegate: delegate),
    ]
    random = Locked(SplitMix64(seed: seed))
    let ownLines = ownLines
    network.onEvent { event in ownLines.withLock { $0.append("\(event)") } }
  }

  var lines: [String] { ownLines.withLock { $0 } + delegate.lines }

  func run() {
    network.serve("https://example.com") { [random] _ in
      random.withLock { $0.response() }
    }
    let queue = DispatchQueue(label: "fenced")
    network.fence(queue)
    for index in 0..<300 {
      let start = next(20)
      clock.schedule(after: .milliseconds(start)) { [self] in
        if index.isMultiple(of: 5) { queue.async { self.start(index) } } else { self.start(index) }
      }
    }
    clock.run()
  }

  /// Makes a task, resumes it, and perhaps plans something else for it.
  private func start(_ index: Int, attempts: Int = 2) {
    let url = URL.example("\(index)")
    let session = sessions[index % sessions.count]
    let task =
      session === sessions[2]
      ? session.dataTask(with: url)
      : session.dataTask(with: url) { [weak self] _, _, error in
        guard let self else { return }
        let outcome = (error as? URLError).map { "\($0.code)" } ?? "end"
        ownLines.withLock { [now = clock.now] in $0.append("\(now) \(index) \(outcome)") }
        if error != nil, attempts > 0 { start(index, attempts: attempts - 1) }
      }
    task.resume()
    let delay = VirtualTime.Interval.milliseconds(next(60))
    switch next(6) {
    case 0: task.cancel()
    case 1: after(delay) { task.cancel() }
    case 2:
      after(delay) { task.suspend() }
      after(delay + .milliseconds(next(60))) { task.resume() }
    case 3:
      task.suspend()
      after(delay) { task.resume() }
    case 4:
      after(delay) {
        task.suspend()
        task.cancel()
      }
    default: break
    }
  }

  private func after(_ delay: VirtualTime.Interval, _ action: @escaping () -> Void) {
    clock.schedule(after: clock.now.advanced(by: delay), action)
  }

  private func next(_ bound: Int) -> Int {
    random.withLock { Int($0.next() % UInt64(bound)) }
  }
}

extension SplitMix64 {
  fileprivate mutating func response() -> StubResponse {
    let latency = VirtualTime.Interval.milliseconds(20 + Int(next() % 60))
    return switch next() % 4 {
    case 0: .failure(.networkConnectionLost, after: latency)
    case 1: .status(503, after: latency)
    default:
      .chunked(
        chunks: [.init("one "), .init("two", after: .milliseconds(Int(next() % 9)))],
        latency: latency)
    }
  }
}
