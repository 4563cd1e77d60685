import Synchronization
import Testing

@testable import scenario_server

@Suite struct LoginLimiterTests {
  @Test func anAccountHasTenWrongLoginsAMinute() {
    let now = Mutex<Int64>(0)
    let limiter = LoginLimiter { now.withLock { $0 } }
    func wrong(_ account: String, at time: Int64) -> Int? {
      now.withLock { $0 = time }
      return limiter.begin(account)
    }
    // The minute begins with the first one.
    #expect((0..<10).map { wrong("ada", at: 1_000 * $0) } == Array(repeating: nil, count: 10))
    #expect([wrong("ada", at: 9_001), wrong("ada", at: 59_999)] == [51, 1])
    #expect(wrong("bob", at: 59_999) == nil)
    #expect((0..<11).map { _ in wrong("ada", at: 60_000) }.last == 60)
  }

  @Test func aRightLoginBeginsNoMinute() {
    let now = Mutex<Int64>(0)
    let limiter = LoginLimiter { now.withLock { $0 } }
    _ = limiter.begin("ada")
    limiter.takeBack("ada")
    now.withLock { $0 = 59_000 }
    for _ in 1...10 { #expect(limiter.begin("ada") == nil) }
    now.withLock { $0 = 60_000 }
    #expect(limiter.begin("ada") == 59)
  }

  @Test func rightLoginsDoNotCount() {
    let limiter = LoginLimiter { 0 }
    for _ in 1...20 {
      #expect(limiter.begin("ada") == nil)
      limiter.takeBack("ada")
    }
    // One that's under way does.
    #expect((1...11).map { _ in limiter.begin("ada") } == Array(repeating: nil, count: 10) + [60])
    limiter.takeBack("ada")
    #expect(limiter.begin("ada") == nil)
  }
}
