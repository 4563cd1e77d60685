import Streams
import TestSupport
import VirtualTime

/// Several subscribers of a publisher, which come and go on a virtual clock.
///
/// ```swift
/// let scene = SharedScene(on: clock)
/// scene.add(shared)
/// scene.add(shared.filter { $0 > 2 }, demand: .max(1))
/// scene.on(.at(0)) { scene.subscribe(0) }
/// scene.on(.inValue(2, of: 0)) { scene.subscribe(1) }
/// clock.advance(to: .milliseconds(300))
/// scene.lines  // ["0: 0 value 1", "0: 5 value 2", "1: 10 value 3", …]
/// ```
///
/// Only the thread that moves the clock uses it.
final class SharedScene {
  private struct Guest {
    let publisher: AnyPublisher<Int, TestError>
    let recorder: PipelineRecorder
    var hasSubscribed = false
  }

  private let clock: VirtualTimeScheduler
  private let log = CallLog()
  private let violations = CallLog()
  private var guests: [Guest] = []
  private var nested: [(Deed.Occasion, () -> Void)] = []
  private var makeConnection: (() -> any Cancellable)?
  private var connections: [any Cancellable] = []

  init(on clock: VirtualTimeScheduler) { self.clock = clock }

  /// The signals of all subscribers, each line with the index of its subscriber.
  var lines: [String] { log.lines }

  var brokenRules: [String] { violations.lines }

  /// Adds a subscriber, which subscribes later.
  func add(
    _ publisher: some Publisher<Int, TestError>, demand: Subscribers.Demand = .unlimited,
    perValue: Subscribers.Demand = .none
  ) {
    let index = guests.count
    var valueCount = 0
    let recorder = PipelineRecorder(on: clock, demand: demand, perValue: perValue) {
      [log, unowned self] line, isEnd in
      log.append("\(index): \(line)")
      if isEnd { return }
      valueCount += 1
      let reached = Deed.Occasion.inValue(valueCount, of: index)
      for (occasion, deed) in nested where occasion == reached { deed() }
    }
    guests.append(
      Guest(
        publisher: publisher.checkingContract(into: violations.append).eraseToAnyPublisher(),
        recorder: recorder))
  }

  /// Says what to do on an occasion.
  func on(_ occasion: Deed.Occasion, _ deed: @escaping () -> Void) {
    if case .at(let time) = occasion {
      clock.schedule(after: .milliseconds(time), deed)
    } else {
      nested.append((occasion, deed))
    }
  }

  /// Says how to connect.
  func onConnect(_ connect: @escaping () -> any Cancellable) { makeConnection = connect }

  func subscribe(_ index: Int) {
    if guests[index].hasSubscribed { return }
    guests[index].hasSubscribed = true
    guests[index].publisher.subscribe(guests[index].recorder)
  }

  func cancel(_ index: Int) {
    if guests[index].hasSubscribed { guests[index].recorder.cancel() }
  }

  func request(_ index: Int, _ demand: Subscribers.Demand) {
    if guests[index].hasSubscribed { guests[index].recorder.request(demand) }
  }

  func connect() {
    if let makeConnection { connections.append(makeConnection()) }
  }

  /// Cancels the latest connection.
  func disconnect() { connections.popLast()?.cancel() }

  /// Releases everything.
  func letGo() {
    for guest in guests { guest.recorder.letGo() }
    for connection in connections { connection.cancel() }
    makeConnection = nil
    nested = []
    guests = []
  }
}
