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

  /// The network, without stubs at first.
  public let network: StubNetwork

  /// The record, of which everything that is shown is drawn.
  public let timeline: Timeline

  /// Where to keep subscriptions until the part is over.
  public var cancellables: Set<AnyCancellable> = []

  /// A session whose requests the network answers.
  public private(set) lazy var session = network.makeSession()

  /// Makes another session whose requests the network answers.
  ///
  /// - Parameter delegate: Receives responses, chunks of bodies and ends as they come. The session
  ///   keeps it until the part is over.
  /// - Returns: The session.
  public func makeSession(delegate: (any URLSessionDelegate)? = nil) -> URLSession {
    network.makeSession(delegate: delegate)
  }

  /// How many requests were made so far.
  public var requestCount: Int {
    network.events.count { if case .started = $0.kind { true } else { false } }
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

  private init(showsThreads: Bool, onFailure: @escaping @Sendable (String) -> Void) {
    // Each action is followed by settling: a world that needs this many is one that does not end.
    let clock = VirtualTimeScheduler(
      name: "the world's clock", limits: .init(actionsInOneCall: 10_000)
    ) { onFailure($0.message) }
    self.clock = clock
    network = StubNetwork(clock: clock, onFailure: onFailure)
    let home = pthread_self()
    timeline = Timeline(clock: clock) {
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
  }
}

extension World {
  /// What came of a part.
  struct Outcome: Sendable {
    let recording: Timeline.Recording.Part
    let problems: [String]
  }

  /// The timeline of the world that runs, for what is printed without saying where.
  static let current = Locked<Timeline?>(nil)

  /// Runs a part from beginning to end, on the calling thread.
  static func run(_ part: Scenario.Part, of scenario: Scenario, turns: MainThread.Turns) -> Outcome
  {
    let failures = Locked<[String]>([])
    let report: @Sendable (String) -> Void = { problem in
      failures.withLock { if !$0.contains(problem) { $0.append(problem) } }
    }
    let world = World(showsThreads: scenario.showsThreads, onFailure: report)
    MainThreadTurns.use(MainThreadTurns.Clock(world.clock), onRefusal: report)
    world.recordNetwork()
    let timeline = world.timeline
    world.network.addFence { turns.take() }
    current.withLock { $0 = timeline }
    part.body(world)
    world.network.run()
    world.cancellables = []
    world.network.settle()
    world.network.invalidate()
    current.withLock { $0 = nil }
    return Outcome(
      recording: Timeline.Recording.Part(title: part.title, events: timeline.recording.events),
      problems: (failures.withLock { $0 } + world.network.problems).map { "\(part.title): \($0)" })
  }

  private func recordNetwork() {
    let timeline = timeline
    network.onEvent { event in
      timeline.record(
        .network(Timeline.Event.Network(event.kind)), in: .request("request \(event.request)"))
    }
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
    case .response(let status, _): self = .response(status: status)
    case .chunk(let bytes, _): self = .chunk(bytes: bytes)
    case .finished: self = .finished
    case .failed(let code): self = .failed(code.name)
    case .cancelled(let bytes): self = .cancelled(bytes: bytes)
    case .unmatched(let reason): self = .failed("no answer: \(reason)")
    }
  }
}
