import Foundation
import Streams
import VirtualTime

/// A million timers at unordered moments. Every other one is cancelled before the rest run.
/// Measures how long that takes, and how much memory the timers hold while they wait.
enum TimerWorkloads {
  struct Report: Codable {
    let seconds: Double
    let megabytes: Int
  }

  private static let count = 1_000_000

  /// Runs a kind of timers in a new process, because memory freed by one kind would make the other
  /// look smaller and slower than it is.
  static func inAnotherProcess(_ name: String) throws -> Report {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--timers", name]
    process.standardOutput = output
    try process.run()
    return try JSONDecoder().decode(
      Report.self, from: output.fileHandleForReading.readDataToEndOfFile())
  }

  /// Prints the report of a kind; the new process calls this.
  static func printReport(_ name: String) throws {
    guard let measure = all[name] else { preconditionFailure("unknown timers: \(name)") }
    print(String(decoding: try JSONEncoder().encode(measure()), as: UTF8.self))
  }

  private static let all = [
    "timers in a plain heap": plainHeap, "timers in virtual time": virtualTime,
  ]

  static var names: [String] { all.keys.sorted() }

  /// Measures the timers of a virtual-time scheduler.
  private static func virtualTime() -> Report {
    let clock = VirtualTimeScheduler(limits: .init(actionsInOneChain: .max, actionsInOneCall: .max))
    return measure(
      schedule: { due, action in
        // Only a repeat can be cancelled. This one never runs a second time.
        clock.schedule(after: .init(nanoseconds: due), interval: .max, action)
      },
      run: { clock.run(until: .init(nanoseconds: horizon)) })
  }

  /// Measures timers in a binary heap of due times. They can be cancelled, and release their
  /// closure then, as a timer must.
  private static func plainHeap() -> Report {
    var heap = TimerHeap()
    return measure(schedule: { heap.schedule(at: $0, $1) }, run: { heap.run() })
  }

  private static let horizon: Int64 = 1_000_000_000_000

  private static func measure(
    schedule: (_ due: Int64, _ action: @escaping () -> Void) -> any Cancellable, run: () -> Void
  ) -> Report {
    let memory = residentKilobytes()
    var memoryOfTimers = 0
    var total = 0
    let duration = ContinuousClock().measure {
      var random = UInt64(42)
      var tokens: [any Cancellable] = []
      tokens.reserveCapacity(count)
      for value in 0..<count {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        tokens.append(schedule(Int64(random >> 33) * 100) { total &+= value })
      }
      memoryOfTimers = residentKilobytes() - memory
      for index in stride(from: 0, to: count, by: 2) { tokens[index].cancel() }
      run()
    }
    Closures.total &+= total
    return Report(
      seconds: duration / .seconds(1), megabytes: memoryOfTimers / 1024)
  }
}

/// A binary heap of due times. Items of the same moment keep the order in which they were
/// scheduled.
private struct TimerHeap {
  final class Token: Cancellable {
    var action: (() -> Void)?
    init(_ action: @escaping () -> Void) { self.action = action }
    func cancel() { action = nil }
  }

  private struct Item {
    let due: Int64
    let sequence: Int
    let token: Token
  }

  private var items: [Item] = []
  private var sequence = 0

  mutating func schedule(at due: Int64, _ action: @escaping () -> Void) -> any Cancellable {
    let token = Token(action)
    sequence += 1
    items.append(Item(due: due, sequence: sequence, token: token))
    siftUp(items.count - 1)
    return token
  }

  mutating func run() {
    while let first = items.first {
      let last = items.removeLast()
      if !items.isEmpty {
        items[0] = last
        siftDown(0)
      }
      first.token.action.take()?()
    }
  }

  /// Whether one item is before another. It takes indices, so no token is retained.
  private func isBefore(_ index: Int, _ other: Int) -> Bool {
    items[index].due == items[other].due
      ? items[index].sequence < items[other].sequence : items[index].due < items[other].due
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, isBefore(index, (index - 1) / 2) {
      items.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var first = index
      let child = 2 * index + 1
      if child < items.count, isBefore(child, first) { first = child }
      if child + 1 < items.count, isBefore(child + 1, first) { first = child + 1 }
      if first == index { return }
      items.swapAt(index, first)
      index = first
    }
  }
}
