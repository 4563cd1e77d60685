import Streams
import Testing
import VirtualTime

/// Compares the scheduler with the simplest possible one, which searches a list.
struct ModelTests {
  struct Work {
    let name: Int
    var due: Int
    var place: Int
    let interval: Int?
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `random calls give the same history as a searched list`(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    let clock = VirtualTimeScheduler(now: .nanoseconds(-1_000))
    let history = History()
    var expected: [String] = []
    var tokens: [Int: any Cancellable] = [:]
    var list: [Work] = []
    var now = -1_000
    var places = 0

    for name in 0..<600 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let due = now + Int.random(in: -5...2_000, using: &random)
        clock.schedule(after: .nanoseconds(due)) { history.append("\(clock.now) \(name)") }
        list.append(Work(name: name, due: max(due, now), place: places, interval: nil))
        places += 1
      case 4..<6:
        let due = now + Int.random(in: 0...1_000, using: &random)
        let interval = Int.random(in: 50...500, using: &random)
        tokens[name] = clock.schedule(after: .nanoseconds(due), interval: .nanoseconds(interval)) {
          history.append("\(clock.now) \(name)")
        }
        list.append(Work(name: name, due: due, place: places, interval: interval))
        places += 1
      case 6..<8:
        guard let name = tokens.keys.sorted().randomElement(using: &random) else { continue }
        tokens[name] = nil
        list.removeAll { $0.name == name }
      default:
        let target = now + Int.random(in: 0...300, using: &random)
        let isRun = Bool.random(using: &random)
        if isRun {
          clock.run(until: .nanoseconds(target))
        } else {
          clock.advance(to: .nanoseconds(target))
        }
        while let index = list.indices.min(by: {
          (list[$0].due, list[$0].place) < (list[$1].due, list[$1].place)
        }), list[index].due <= target {
          now = list[index].due
          expected.append("\(VirtualTime.nanoseconds(now)) \(list[index].name)")
          if let interval = list[index].interval {
            list[index].due += interval
            list[index].place = places
            places += 1
          } else {
            list.remove(at: index)
          }
        }
        if !isRun { now = target }
      }
    }
    #expect(history.lines == expected)
    #expect(clock.now == .nanoseconds(now))
    #expect(expected.count > 100)
    list.sort { ($0.due, $0.place) < ($1.due, $1.place) }
    #expect(clock.pendingWork.map(\.due) == list.map { .nanoseconds($0.due) })
    #expect(clock.pendingWork.map(\.number) == list.map { $0.place + 1 })
  }
}

/// Random numbers that are the same in every run: a linear congruential generator.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
