import Dispatch
import Foundation
import ServerTestSupport
import Synchronization

/// Runs scenarios with bad servers, several at a time.
struct Trial: Sendable {
  /// One scenario with one server.
  struct Run: Sendable {
    let server: BadServer
    let group: BadServer.Group
    let scenario: String
    /// Whether the scenario's help doesn't know `--server`.
    let refusesServers: Bool
  }

  /// The limits of each run.
  struct Limits: Sendable {
    /// The time limit of a run with a server that stalls, in seconds. A slow machine must be able
    /// to start the program and to check the server in this time.
    var stalled = 8
    /// The time limit of all other runs, in seconds. It's longer than any of them takes, so that a
    /// slow machine gives the same results.
    var others = 60
    /// If a run goes on for so many seconds after its time limit, it's killed.
    var margin = 30
    /// A scenario that uses more memory, in bytes, fails the trial. All its processes count.
    var memory = 512 << 20
    /// How many runs there are at the same time.
    var runsAtATime = 8
  }

  var limits: Limits

  /// Returns the outcome of each run, in the order of the runs.
  func outcomes(of runs: [Run], report: @escaping @Sendable (Outcome) -> Void) throws -> [Outcome] {
    let outcomes = Mutex([Result<Outcome, any Error>?](repeating: nil, count: runs.count))
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = limits.runsAtATime
    for (index, run) in runs.enumerated() {
      queue.addOperation {
        let outcome = Result { try self.outcome(of: run) }
        outcomes.withLock { $0[index] = outcome }
        if case .success(let outcome) = outcome { report(outcome) }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    return try outcomes.withLock { $0 }.compactMap { try $0?.get() }
  }

  func outcome(of run: Run) throws -> Outcome {
    let server = try RunningBadServer(run.server, run.group)
    defer { server.stop() }
    let timeLimit = run.server.stalls ? limits.stalled : limits.others
    var arguments = ["--server", server.base]
    if !run.refusesServers { arguments += ["--time-limit", "\(timeLimit)"] }
    let program = try RunningBadServer.exclusively { [arguments] in
      try Program(scenarioProgram(run.scenario), arguments)
    }
    let deadline = DispatchTime.now() + .seconds(timeLimit + limits.margin)
    var peakMemory = 0
    var kill: Outcome.Kill?
    while !program.hasEnded(within: .milliseconds(20)) {
      peakMemory = max(peakMemory, program.peakMemory ?? 0)
      // Between the bound and twice the bound, it runs on, so that the report has its real peak.
      if peakMemory > 2 * limits.memory { kill = .forItsMemory }
      if DispatchTime.now() > deadline { kill = .afterItsTimeLimit }
      if kill != nil {
        program.kill()
        break
      }
    }
    let result = try program.result()
    var outcome = Outcome(
      server: run.server.name, group: run.group, scenario: run.scenario,
      refusesServers: run.refusesServers, status: result.status, kill: kill, errors: [],
      requestEnds: [], peakMemory: peakMemory)
    outcome.read(
      stdout: result.stdout, stderr: result.stderr, timeLimit: run.server.stalls ? timeLimit : nil)
    return outcome
  }
}
