import Foundation
import Streams
import StubNetwork
import Synchronization
import Timeline
import VirtualTime

/// Where one part of a scenario runs: a clock, a network, and a record of what happens.
///
/// Everything happens on the world's thread, but for what is sent to the main thread, which runs
/// while the world waits for it.
public final class World {
  /// The clock, which starts at zero.
  public let clock: VirtualTimeScheduler

  /// The network, without stubs at first. With `--server` nobody asks it.
  public let network: StubNetwork

  /// The server to ask in place of the stubs, if there is one.
  private let live: LiveNetwork?

  /// The record, of which everything that is shown is drawn.
  public let timeline: Timeline

  private let flags: Set<Scenario.Flag>

  /// Where to keep subscriptions until the part is over.
  public var cancellables: Set<AnyCancellable> = []

  /// A session whose requests the network answers, or the server that the program was told to use.
  public private(set) lazy var session = makeSession()

  /// Makes another such session.
  ///
  /// - Parameters:
  ///   - delegate: Receives responses, chunks of bodies and ends as they come. The session keeps it
  ///     until the part is over.
  ///   - waitsForConnectivity: Whether requests wait while the network's `isConnected` is `false`;
  ///     otherwise they fail. Only the stub can do that: a scenario that asks for it refuses servers.
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
      "a session with a server cannot wait for connectivity: the scenario has to refuse servers")
    return live.makeSession(delegate: delegate)
  }

  /// The URL of an address.
  ///
  /// With `--server` a session asks that server for it, whatever host it names.
  ///
  /// - Parameter address: An absolute URL, as it stands in the scenario and in its stubs. Anything
  ///   else ends the program.
  /// - Returns: The URL.
  public func url(_ address: String) -> URL {
    guard let url = URL(string: address), url.scheme != nil, url.host != nil else {
      preconditionFailure("\"\(address)\" is no absolute URL: a scenario's address needs to be one")
    }
    return url
  }

  /// Whether a flag was given on the command line.
  public func has(_ flag: Scenario.Flag) -> Bool { flags.contains(flag) }

  /// A name that nobody has used before: the name itself, or with a server the name with something
  /// behind it that chance has chosen, since a server remembers.
  public func unused(_ name: String) -> String {
    live == nil ? name : "\(name)-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
  }

  /// How many requests were made so far.
  public var requestCount: Int {
    live?.requestCount
      ?? network.events.count { if case .started = $0.kind { true } else { false } }
  }

  /// Does something at a moment, before everything else that is due then.
  ///
  /// - Parameters:
  ///   - time: When to do it.
  ///   - action: What to do; it runs on the world's thread.
  public func at(_ time: VirtualTime, _ action: @escaping () -> Void) {
    clock.schedule(
      after: time, tolerance: .zero, options: .init(label: "at \(time)", isCancellation: true),
      action)
  }

  /// Writes each line that it is given to the record: `print("load", to: world.console)` is the
  /// operator `print(_:to:)` with its output in the transcript.
  public var console: Console { Console(timeline: timeline) }

  private init(
    showsThreads: Bool, _ options: CommandLineOptions,
    onFailure: @escaping @Sendable (String) -> Void
  ) {
    // Each action is followed by settling: a world that needs this many is one that does not end.
    let clock = VirtualTimeScheduler(
      name: "the world's clock", limits: .init(actionsInOneCall: 10_000)
    ) { onFailure($0.message) }
    self.clock = clock
    let home = pthread_self()
    let timeline = Timeline(clock: clock) {
      let isHome = pthread_equal(pthread_self(), home) != 0
      let here =
        MainThreadTurns.runningQueue ?? (isHome ? "world" : Thread.isMainThread ? "main" : nil)
      if here == nil {
        onFailure(
          "something happened beside the world, so that its place in the record is luck: it came "
            + "from a Task, a timer or async on a queue; use that queue as a scheduler instead")
      }
      return showsThreads ? here : nil
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
  /// What answers requests, and what time it is.
  enum Mode: Hashable, Sendable {
    /// Stubs answer, and time passes as fast as it can.
    case virtual
    /// Stubs answer, each at its time by the wall clock.
    case realTime
    /// A server answers.
    case server(ServerAddress)
  }

  /// What came of a part.
  struct Outcome: Sendable {
    let recording: Timeline.Recording.Part
    let problems: [String]
    /// Whether there is no use in going on with other parts.
    let isFinal: Bool
  }

  /// The timeline of the world that runs, for what is printed without saying where.
  static let current = Locked<Timeline?>(nil)

  /// Runs a part from beginning to end, on the calling thread.
  ///
  /// - Parameter onEvent: Is told what happens while it happens.
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
    let pace = Pace { turns.take() }
    if let live = world.live {
      part.body(world)
      pace.run(live, on: world.clock, onFailure: report)
      world.cancellables = []
      pace.settle(live)
      live.invalidate()
    } else {
      world.network.addFence { turns.take() }
      part.body(world)
      world.network.run { if options.mode == .realTime { pace.wait(until: $0) } }
      // Asked now: what is released next is cancelled, and waits no more.
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
