import StreamsFoundation
import TestSupport
import Testing
import VirtualTime

@testable import StubNetwork

/// Random runs in which each verdict "all sessions are quiet" is checked with a fence through each
/// open task. The settler itself looks at none of them.
@Suite(.serialized) struct QuietTests {
  @Test(arguments: 1...4) func noVerdictIsWrongAndEachRunIsTheSame(seed: UInt64) {
    let script = RandomScript(seed: seed)
    let lines = script.run()
    #expect(lines.count > 1_000)
    #expect(RandomScript(seed: seed).run() == lines)
    let counts = script.counts.withLock { $0 }
    #expect(counts.misses == 0)
    #expect(counts.verdicts > 500)
    #expect(counts.widest >= 200)
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
        let script = RandomScript(seed: 7)
        let lines = script.run()
        #expect(script.counts.withLock { $0.misses } == 0)
        histories.withLock { $0.append(lines) }
      }
      isDone.withLock { $0 = true }
    }
    let all = histories.withLock { $0 }
    #expect(all.count == 2)
    #expect(all.allSatisfy { $0 == all[0] })
  }
}

/// A random run on three sessions, one of them with a delegate: 300 tasks, most of them open at the
/// same time. Some are cancelled, some are suspended and resumed, and failed ones try again.
private final class RandomScript: Sendable {
  /// How often the network thought that all sessions were quiet, and how often it was wrong.
  struct Counts {
    var verdicts = 0
    /// The largest number of open tasks at a verdict.
    var widest = 0
    var misses = 0
  }

  let counts = Locked(Counts())
  private let history = NetworkRun()
  private let sessions: [URLSession]
  private let random: Locked<SplitMix64>
  private let tasks = Locked<[URLSessionTask]>([])

  init(seed: UInt64) {
    sessions = [
      history.session(), history.session(waits: true),
      history.session(delegate: history.delegate("delegate")),
    ]
    random = Locked(SplitMix64(seed: seed))
  }

  /// Makes the run, and returns all that happened.
  func run() -> [String] {
    let check = history.clock.attach { [unowned self] in self.settleAndCheck() }
    defer { check.cancel() }
    history.network.serve("https://example.com") { [random] _ in
      random.withLock { $0.response() }
    }
    let queue = DispatchQueue(label: "fenced")
    history.network.fence(queue)
    for index in 0..<300 {
      history.at(next(20)) { [self] in
        if index.isMultiple(of: 5) { queue.async { self.start(index) } } else { start(index) }
      }
    }
    return history.finish()
  }

  /// Does one more pass of the network. If it finds nothing, all sessions should be quiet.
  private func settleAndCheck() -> Bool {
    if history.network.driver.settleOnce() { return true }
    let open = tasks.withLock { tasks in
      tasks.removeAll { $0.state == .completed }
      return tasks
    }
    // Twice, because a task's work queue may send to its session's.
    for task in open + open { _ = task.priority }
    let isMiss = !history.network.isQuiet
    counts.withLock { counts in
      counts.verdicts += 1
      counts.widest = max(counts.widest, open.count)
      if isMiss { counts.misses += 1 }
    }
    return false
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
        history.write("\(index) \((error as? URLError)?.code.name ?? "end")")
        if error != nil, attempts > 0 { start(index, attempts: attempts - 1) }
      }
    tasks.withLock { $0.append(task) }
    task.resume()
    let delay = next(60)
    switch next(6) {
    case 0: task.cancel()
    case 1: after(delay) { task.cancel() }
    case 2:
      after(delay) { task.suspend() }
      after(delay + next(60)) { task.resume() }
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

  private func after(_ milliseconds: Int, _ action: @escaping () -> Void) {
    let clock = history.clock
    clock.schedule(after: clock.now.advanced(by: .milliseconds(milliseconds)), action)
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
