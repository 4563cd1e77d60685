import Foundation
import Streams
import StubNetwork
import Timeline
import VirtualTime
import VirtualWorld

/// The test bench that one part of a scenario runs in.
///
/// It has everything that the part needs instead of the real world:
///
/// - ``clock``: a virtual clock, so that no run has to wait.
/// - ``network``: a stub network under a real `URLSession`, which you get from ``session``.
/// - ``cancellables``: a place to keep subscriptions until the part is over.
/// - ``timeline``: the record of the run, which `print`, `lane(_:)` and the network write
///   to.
///
/// Each part gets a new world. The stubs and subscriptions of earlier parts are gone.
///
/// A world runs on its own thread. Work that you send to the main thread or to another queue runs
/// there, while the world waits for it.
///
/// This is the world of the module `VirtualWorld`, with the options of the command line. Use that
/// one in your tests.
public final class World {
  private let world: VirtualWorld.World

  /// The real network of `--server`, or `nil` without it.
  private let live: LiveNetwork?
  private let flags: Set<Scenario.Flag>

  /// A session whose requests go to the stub network, or to the server of `--server`.
  public private(set) lazy var session = makeSession()

  private init(_ world: VirtualWorld.World, _ options: CommandLineOptions) {
    self.world = world
    flags = options.flags
    switch options.mode {
    case .virtual, .realTime: live = nil
    case .server(let server):
      live = LiveNetwork(server: server, log: world.requestLog)
    }
  }

  /// The clock, which starts at zero.
  public var clock: VirtualTimeScheduler { world.clock }

  /// The stub network. It has no stubs at first. With `--server`, requests don't reach it.
  public var network: StubNetwork { world.network }

  /// The record of the run. All output is made from it.
  public var timeline: Timeline { world.timeline }

  /// Keeps subscriptions until the part is over, and cancels them then.
  public var cancellables: Set<AnyCancellable> {
    get { world.cancellables }
    set { world.cancellables = newValue }
    _modify { yield &world.cancellables }
  }

  /// Runs an action at a given time, before all other work that is due then. With `--explore`, it
  /// may come after.
  ///
  /// - Parameters:
  ///   - time: The time on the world's clock.
  ///   - action: The action. It runs on the world's thread.
  public func at(_ time: VirtualTime, _ action: @escaping () -> Void) { world.at(time, action) }

  /// A text output stream that writes to the record. `print("load", to: world.console)` is the
  /// operator `print(_:to:)`, with its output in the transcript.
  public var console: Console { world.console }

  /// Makes one more session like ``session``.
  ///
  /// - Parameters:
  ///   - delegate: Receives responses, chunks of bodies and completions as they arrive. The session
  ///     keeps it until the part is over.
  ///   - waitsForConnectivity: Whether requests wait while the network's `isConnected` is `false`.
  ///     If not, they fail. Only the stub network can wait, so the scenario must refuse servers.
  /// - Returns: The session.
  public func makeSession(
    delegate: (any URLSessionDelegate)? = nil, waitsForConnectivity: Bool = false
  ) -> URLSession {
    guard let live else {
      return world.makeSession(delegate: delegate, waitsForConnectivity: waitsForConnectivity)
    }
    precondition(
      !waitsForConnectivity,
      "a session can't wait for connectivity with --server: pass refusesServers to the Scenario")
    return live.makeSession(delegate: delegate)
  }

  /// Returns whether the user passed a flag on the command line.
  public func has(_ flag: Scenario.Flag) -> Bool { flags.contains(flag) }

  /// Returns a name that no earlier run has used.
  ///
  /// That's the name itself. With `--server`, it's the name and a random suffix, because a server
  /// remembers the names of earlier runs.
  public func uniqueName(_ name: String) -> String {
    live == nil ? name : "\(name)-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
  }

  /// The number of requests made so far.
  public var requestCount: Int {
    live?.requestCount
      ?? network.events.count { if case .started = $0.kind { true } else { false } }
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
    /// Whether further parts would fail too, so the scenario must stop.
    let isFinal: Bool
    /// The choices, unless the order was the usual one.
    var choices: [OrderChoice] = []
    /// The faults that its requests could have.
    var possibleFaults: [NetworkFault] = []
    /// What waited, if that was logged.
    var waiting = WaitingLog.Moments()
  }

  /// The timeline of the running world, which `print` writes to.
  static let current = Locked<Timeline?>(nil)

  /// A step of a run with a server.
  enum Activity: Sendable {
    /// The check of the server, before all parts or after a part that lost it.
    case check(ServerURL, after: String?)
    /// A part with its title.
    case part(String, LiveNetwork)
  }

  /// The current step of a run with a server.
  static let activity = Locked<Activity?>(nil)

  /// Runs a part from beginning to end, on the calling thread.
  ///
  /// - Parameters:
  ///   - limit: Ends the run if it uses a server.
  ///   - order: How the clock chooses between things that could happen in either order.
  ///   - fault: What goes wrong with one request; `nil` for nothing.
  ///   - showsThreads: Whether events name the thread or queue they come from.
  ///   - log: Logs what waits at its moments; `nil` for no log.
  ///   - onEvent: Called with each event as it happens.
  static func run(
    _ part: Scenario.Part, _ options: CommandLineOptions, until limit: TimeLimit,
    turns: MainThread.Turns, order: OrderPolicy = .firstComeFirstServed,
    fault: NetworkFault? = nil, showsThreads: Bool,
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
    var takeSite: (@Sendable () -> any VirtualWorld.World.Site)?
    if log != nil { takeSite = { CauseSite() } }
    let base = VirtualWorld.World(
      runner: turns, limits: limits, order: order, label: label(showsThreads: showsThreads, report),
      takeSite: takeSite, onFailure: report)
    if let fault { base.network.inject(fault) }
    base.becomeSoleWorld()
    let world = World(base, options)
    let timeline = world.timeline
    timeline.onEvent(onEvent)
    let following = log?.follow(timeline, on: world.clock)
    defer { following?.cancel() }
    current.withLock { $0 = timeline }
    activity.withLock { $0 = world.live.map { .part(part.title, $0) } }
    defer { activity.withLock { $0 = nil } }
    let pace = Pace { turns.settle() }
    timeline.recording { part.body(world) }
    var isStopped = false
    if let live = world.live {
      if !pace.run(live, on: world.clock, until: limit) {
        isStopped = true
        report(limit.problem(openRequests: live.openRequests))
        live.stopTransfers()
      }
      timeline.isTearingDown = true
      world.cancellables = []
      pace.settle(live, until: limit)
      live.invalidate()
    } else {
      world.clock.run {
        if options.mode == .realTime, let due = world.clock.nextDue { pace.wait(until: due) }
        return true
      }
      // Report now, because the next line cancels the requests that wait.
      world.network.waits.forEach(report)
      timeline.isTearingDown = true
      world.cancellables = []
      world.clock.settle()
    }
    base.close()
    current.withLock { $0 = nil }
    activity.withLock { $0 = world.live.map { .check($0.server, after: part.title) } }
    let loss = isStopped ? nil : world.live.flatMap { $0.loss(until: limit) }
    let misfit = world.clock.scheduleProblem.map { [$0] } ?? []
    let problems =
      misfit + (world.live == nil ? world.network.problems : loss.map { [$0] } ?? [])
    return Outcome(
      recording: Timeline.Recording.Part(title: part.title, events: timeline.recording.events),
      problems: (failures.withLock { $0 } + problems).map { "\(part.title): \($0)" },
      isFinal: isStopped || loss != nil, choices: world.clock.choices,
      possibleFaults: world.network.possibleFaults, waiting: log?.moments ?? .init())
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
            + "transcript is random. Was it a Task, a timer, or async on a queue? Use the queue as a "
            + "scheduler instead")
        return nil
      }
    }
  }
}
