import Foundation
import Streams
import StubNetwork
import Synchronization
import Timeline
import VirtualTime

/// The test bench that one part of a scenario runs in.
///
/// It has everything that the part needs instead of the real world:
///
/// - ``clock``: a virtual clock, so that no run has to wait.
/// - ``network``: a stub network under a real `URLSession`, which you get from ``session``.
/// - ``cancellables``: a place to keep subscriptions until the part is over.
/// - ``timeline``: the record of the run, which `print`, `recorded(as:on:)` and the network write
///   to.
///
/// Each part gets a new world. The stubs and subscriptions of earlier parts are gone.
///
/// A world runs on its own thread. Work that you send to the main thread or to another queue runs
/// there, while the world waits for it.
public final class World {
  /// The clock, which starts at zero.
  public let clock: VirtualTimeScheduler

  /// The stub network. It has no stubs at first. With `--server`, requests don't reach it.
  public let network: StubNetwork

  /// The real network of `--server`, or `nil` without it.
  private let live: LiveNetwork?

  /// The record of the run. All output is made from it.
  public let timeline: Timeline

  private let flags: Set<Scenario.Flag>

  /// Keeps subscriptions until the part is over, and cancels them then.
  public var cancellables: Set<AnyCancellable> = []

  /// A session whose requests go to the stub network, or to the server of `--server`.
  public private(set) lazy var session = makeSession()

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
      return network.makeSession(
        delegate: delegate, waitsForConnectivity: waitsForConnectivity)
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

  /// Runs an action at a given time, before all other work that is due then.
  ///
  /// - Parameters:
  ///   - time: The time on the world's clock.
  ///   - action: The action. It runs on the world's thread.
  public func at(_ time: VirtualTime, _ action: @escaping () -> Void) {
    clock.schedule(
      after: time, tolerance: .zero, options: .init(label: "at \(time)", isCancellation: true),
      action)
  }

  /// A text output stream that writes to the record. `print("load", to: world.console)` is the
  /// operator `print(_:to:)`, with its output in the transcript.
  public var console: Console { Console(timeline: timeline) }

  private init(
    showsThreads: Bool, _ options: CommandLineOptions,
    onFailure: @escaping @Sendable (String) -> Void
  ) {
    // Settling follows each action, so this limit is low. If a world reaches it, its
    // work would never end.
    let clock = VirtualTimeScheduler(
      name: "the world's clock", limits: .init(actionsInOneCall: 10_000)
    ) { onFailure($0.message) }
    self.clock = clock
    let worldThread = pthread_self()
    let timeline = Timeline(clock: clock) {
      let isOnWorldThread = pthread_equal(pthread_self(), worldThread) != 0
      let label =
        MainThreadTurns.runningQueue
        ?? (isOnWorldThread ? "world" : Thread.isMainThread ? "main" : nil)
      if label == nil {
        onFailure(
          "an event came from a thread that the world doesn't control, so its place in the "
            + "transcript is random. Was it a Task, a timer, or async on a queue? Use the queue as a "
            + "scheduler instead")
      }
      return showsThreads ? label : nil
    }
    self.timeline = timeline
    let record: @Sendable (Int, NetworkEvent.Kind) -> Void = { request, kind in
      timeline.record(.network(Timeline.Event.Network(kind)), in: .request("request \(request)"))
    }
    network = StubNetwork(clock: clock, onFailure: onFailure)
    network.onEvent { record($0.request, $0.kind) }
    switch options.mode {
    case .virtual, .realTime: live = nil
    case .server(let server): live = LiveNetwork(server: server, onEvent: record)
    }
    flags = options.flags
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
  }

  /// The timeline of the running world, which `print` writes to.
  static let current = Locked<Timeline?>(nil)

  /// Runs a part from beginning to end, on the calling thread.
  ///
  /// - Parameter onEvent: Called with each event as it happens.
  static func run(
    _ part: Scenario.Part, of scenario: Scenario, _ options: CommandLineOptions,
    turns: MainThread.Turns,
    onEvent: @escaping @Sendable (Timeline.Event) -> Void
  ) -> Outcome {
    let failures = Locked<[String]>([])
    let report: @Sendable (String) -> Void = { problem in
      failures.withLock { if !$0.contains(problem) { $0.append(problem) } }
    }
    let world = World(showsThreads: scenario.showsThreads, options, onFailure: report)
    MainThreadTurns.use(MainThreadTurns.Clock(world.clock), onRefusal: report)
    let timeline = world.timeline
    timeline.onEvent(onEvent)
    current.withLock { $0 = timeline }
    let pace = Pace { turns.give() }
    if let live = world.live {
      part.body(world)
      pace.run(live, on: world.clock, onFailure: report)
      world.cancellables = []
      pace.settle(live)
      live.invalidate()
    } else {
      world.network.addFence { turns.give() }
      part.body(world)
      world.network.run { if options.mode == .realTime { pace.wait(until: $0) } }
      // Report now, because the next line cancels the requests that wait.
      world.network.waits.forEach(report)
      world.cancellables = []
      world.network.settle()
    }
    world.network.invalidate()
    current.withLock { $0 = nil }
    let loss = world.live.flatMap { $0.hasFailed ? $0.server.problem() : nil }
    let problems = world.live == nil ? world.network.problems : loss.map { [$0] } ?? []
    return Outcome(
      recording: Timeline.Recording.Part(title: part.title, events: timeline.recording.events),
      problems: (failures.withLock { $0 } + problems).map { "\(part.title): \($0)" },
      isFinal: loss != nil)
  }
}

extension MainThreadTurns.Clock {
  fileprivate init(_ clock: VirtualTimeScheduler) {
    self.init(
      now: { clock.now.nanoseconds },
      schedule: { clock.schedule(after: VirtualTime(nanoseconds: $0), $1) },
      scheduleRepeat: { date, interval, action in
        clock.schedule(
          after: VirtualTime(nanoseconds: date), interval: .nanoseconds(Int(interval)), action)
      })
  }
}

extension Timeline.Event.Network {
  fileprivate init(_ kind: NetworkEvent.Kind) {
    switch kind {
    case .started(let method, let url): self = .started(method: method.rawValue, url: url)
    case .waiting: self = .waiting
    case .sent: self = .sent
    case .response(let status, _): self = .response(status: status)
    case .chunk(let bytes, _): self = .chunk(bytes: bytes)
    case .finished: self = .finished
    case .failed(let code): self = .failed(code.name)
    case .cancelled(let bytes): self = .cancelled(bytes: bytes)
    case .unmatched(let reason): self = .failed("no response: \(reason)")
    }
  }
}
