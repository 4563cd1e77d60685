import Foundation
import Streams
import StubNetwork
import Timeline
import VirtualTime
import VirtualWorld

/// What a scenario finds in its world in addition to what a test has there.
///
/// Each part gets a new world, without the stubs and subscriptions of earlier parts. The world runs
/// on its own thread. Work for the main thread or for another queue runs there, while it waits.
/// Tasks belong to the world, too: their parts run one at a time, on the main thread for the main
/// actor and on the world's own for all others.
extension World {
  /// Returns whether the user passed a flag on the command line.
  public func has(_ flag: Scenario.Flag) -> Bool { scenario?.flags.contains(flag) ?? false }

  /// Returns a name that no earlier run has used.
  ///
  /// That's the name itself. With `--server`, it's the name and a random suffix, because a server
  /// remembers the names of earlier runs.
  public func uniqueName(_ name: String) -> String {
    scenario?.live == nil ? name : "\(name)-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
  }

  /// The number of requests made so far.
  public var requestCount: Int {
    scenario?.live?.requestCount ?? network.requests.count
  }

  private var scenario: ScenarioHost? { host as? ScenarioHost }
}

/// What the command line adds to a world.
private struct ScenarioHost: WorldHost {
  let flags: Set<Scenario.Flag>
  /// The real network of `--server`, or `nil` without it.
  let live: LiveNetwork?

  func makeSession(
    delegate: (any URLSessionDelegate)?, waitsForConnectivity: Bool
  ) -> URLSession? {
    precondition(
      live == nil || !waitsForConnectivity,
      "a session can't wait for connectivity with --server: pass refusesServers to the Scenario")
    return live?.makeSession(delegate: delegate)
  }
}

extension World {
  /// The source of responses, and the pace of time.
  enum Mode: Hashable, Sendable {
    /// Stubs respond, and time passes as fast as it can.
    case virtual
    /// Stubs respond, at their times on the wall clock.
    case realTime
    /// A real server responds.
    case server(ServerURL)
  }

  /// The result of a part.
  struct Outcome: Sendable {
    let recording: Timeline.Recording.Part
    let problems: [String]
    /// Those that aren't about requests without a response.
    var failures: [String] = []
    /// Whether the time limit ended it, so no other part can run.
    let isFinal: Bool
    /// The numbers of the lines that tasks printed.
    var linesOfTasks: Set<Int> = []
    /// The choices, unless the order was the usual one.
    var choices: [OrderChoice] = []
    /// The faults that its requests could have.
    var possibleFaults: [NetworkFault] = []
    /// What its script decided, and its moves.
    var script = Script()
    /// When the run ended.
    var end = VirtualTime.zero
    /// The actions of the clock, in a run with moves.
    var actions: [ActionRun] = []
    /// What waited, if that was logged.
    var waiting = WaitingLog.Moments()
  }

  /// Runs a part from beginning to end, on the calling thread.
  ///
  /// - Parameters:
  ///   - limit: Ends the run if it uses a server.
  ///   - order: How the clock chooses between things that could happen in either order.
  ///   - moves: Other times for what the part's script decides.
  ///   - faults: What goes wrong.
  ///   - showsThreads: Whether events name the thread or queue they come from.
  ///   - log: Logs what waits at its moments; `nil` for no log.
  ///   - onEvent: Called with each event as it happens.
  static func run(
    _ part: Scenario.Part, _ options: CommandLineOptions, until limit: TimeLimit,
    turns: MainThread.Turns, order: Schedule? = nil, moves: [Move] = [],
    faults: [NetworkFault] = [], showsThreads: Bool,
    log: WaitingLog? = nil,
    onEvent: @escaping @Sendable (Timeline.Event) -> Void = { _ in }
  ) -> Outcome {
    if case .server = options.mode, limit.isReached {
      return Outcome(
        recording: Timeline.Recording.Part(title: part.title, events: []),
        problems: ["\(part.title): \(limit.problem(openRequests: []))"], isFinal: true)
    }
    let failures = Locked<[String]>([])
    let report: @Sendable (String) -> Void = { problem in
      failures.withLock { if !$0.contains(problem) { $0.append(problem) } }
    }
    var takeSite: (@Sendable () -> any Site)?
    if log != nil { takeSite = { CauseSite() } }
    let world = World(
      runner: turns, limits: limits, order: order, moves: moves,
      label: label(showsThreads: showsThreads, report),
      takeSite: takeSite, onFailure: report)
    world.network.inject(faults)
    if !moves.isEmpty { world.network.allowOtherRequests() }
    world.becomeSoleWorld()
    let live: LiveNetwork? =
      if case .server(let server) = options.mode {
        LiveNetwork(server: server, log: RequestLog(world.timeline))
      } else { nil }
    world.host = ScenarioHost(flags: options.flags, live: live)
    let timeline = world.timeline
    timeline.onEvent(onEvent)
    let linesOfTasks = Locked<Set<Int>>([])
    timeline.onEvent { [weak world] event in
      guard case .printed = event.kind, world?.runsTask ?? false else { return }
      linesOfTasks.withLock { _ = $0.insert(event.number) }
    }
    let following = log?.follow(timeline, on: world.clock)
    defer { following?.cancel() }
    world.usingThread { timeline.recording { part.body(world) } }
    let pace = Pace { turns.settle() }
    var isStopped = false
    if let live {
      if !pace.run(live, on: world.clock, until: limit) {
        isStopped = true
        report(limit.problem(openRequests: live.openRequests))
      }
      timeline.isTearingDown = true
      world.cancellables = []
      pace.settle(live, until: limit)
      live.invalidate()
    } else {
      world.usingThread {
        world.clock.run {
          if options.mode == .realTime, let due = world.clock.nextDue { pace.wait(until: due) }
          return true
        }
      }
      // Report now, because the next line cancels the requests that wait.
      world.network.waits.forEach(report)
      timeline.isTearingDown = true
      world.usingThread {
        world.cancellables = []
        world.clock.settle()
      }
      world.reportsOfSleeps(advice: "cancel it when the part ends").forEach(report)
      // What it cancels may still print.
      world.network.invalidate()
    }
    world.close()
    let (recording, end) = (timeline.recording, world.clock.now)
    let problems =
      live == nil ? (world.clock.scheduleProblem.map { [$0] } ?? []) + world.network.problems : []
    return Outcome(
      recording: Timeline.Recording.Part(
        title: part.title, events: recording.events, waits: recording.waits),
      problems: (failures.withLock { $0 } + problems).map { "\(part.title): \($0)" },
      failures: failures.withLock { $0 },
      isFinal: isStopped, linesOfTasks: linesOfTasks.withLock { $0 },
      choices: world.clock.choices,
      possibleFaults: world.network.possibleFaults, script: world.clock.script,
      end: end, actions: world.clock.actions, waiting: log?.moments ?? .init())
  }

  /// The clock's limits. The world settles after each action, so one of them is low: if a world
  /// reaches it, its work would never end.
  private static let limits = VirtualTimeScheduler.Limits(actionsInOneChain: 10_000)

  /// Labels events by the thread or queue that they come from, and reports those that come from
  /// elsewhere.
  private static func label(
    showsThreads: Bool, _ report: @escaping @Sendable (String) -> Void
  ) -> @Sendable (RunningPlace) -> String? {
    { place in
      switch place {
      case .world: return showsThreads ? "world" : nil
      case .queue(let name): return showsThreads ? name : nil
      case .outside:
        report(
          "an event came from a thread that the world doesn't control, so its place in the "
            + "transcript is random. Was it a thread, a timer, or async on a queue? Use the queue as "
            + "a scheduler instead")
        return nil
      }
    }
  }
}
