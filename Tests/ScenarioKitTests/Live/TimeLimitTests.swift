import Foundation
import Streams
import Testing
import Timeline
import VirtualTime
import VirtualWorld

@testable import ScenarioKit

/// No test here waits: the wall clock advances by a second each time it's read.
@Suite struct TimeLimitTests {
  private let reads = Locked<UInt64>(0)

  private var clock: WallClock {
    WallClock { [reads] in
      reads.withLock { count in
        count += 1
        return count * 1_000_000_000
      }
    }
  }

  @Test func countsFromItsBeginning() {
    let limit = TimeLimit(seconds: 3, clock)
    #expect([limit.remaining, limit.remaining] == [.seconds(2), .seconds(1)])
    #expect(limit.isReached)
    #expect(limit.remaining == .zero)
  }

  @Test func namesTheOpenRequests() {
    let limit = TimeLimit(seconds: 7)
    #expect(
      limit.problem(openRequests: []) == "stopped at the time limit of 7 s; no request is open")
    #expect(
      limit.problem(openRequests: ["GET http://a/b", "POST http://a"])
        == "stopped at the time limit of 7 s; open requests: GET http://a/b, POST http://a")
    #expect(
      limit.problem(openRequests: (1...6).map { "\($0)" })
        == "stopped at the time limit of 7 s; open requests: 1, 2, 3, 4 and 2 more")
  }

  private func makeNetwork(_ clock: VirtualTimeScheduler) throws -> LiveNetwork {
    LiveNetwork(
      server: try ServerURL("http://127.0.0.1:1"), log: RequestLog(Timeline(clock: clock)))
  }

  @Test func aPartEndsWhenNothingIsLeft() throws {
    let clock = VirtualTimeScheduler()
    let network = try makeNetwork(clock)
    let ran = Locked<[Int]>([])
    for number in 1...3 { network.deliver { ran.withLock { $0.append(number) } } }
    let pace = Pace { false }
    #expect(pace.run(network, on: clock, until: TimeLimit(seconds: 60)))
    #expect(ran.withLock { $0 } == [1, 2, 3])
  }

  /// Blocks of the main queue that always add another one.
  @Test func endlessTurnsEndAtTheLimit() throws {
    let clock = VirtualTimeScheduler()
    let pace = Pace { true }
    #expect(!pace.run(try makeNetwork(clock), on: clock, until: TimeLimit(seconds: 50, self.clock)))
    #expect(reads.withLock { $0 } < 60)
  }

  @Test func endlessCallbacksEndAtTheLimit() throws {
    let clock = VirtualTimeScheduler()
    let network = try makeNetwork(clock)
    @Sendable func callBackForever() { network.deliver(callBackForever) }
    callBackForever()
    let pace = Pace { false }
    #expect(!pace.run(network, on: clock, until: TimeLimit(seconds: 50, self.clock)))
    #expect(reads.withLock { $0 } < 60)
  }
}
