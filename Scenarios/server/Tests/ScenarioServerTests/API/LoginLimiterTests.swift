import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import ScenarioServer

@Suite struct LoginLimiterTests {
  private let now = NIOLockedValueBox<Int64>(0)
  private let limiter: LoginLimiter

  init() {
    var limits = Limits()
    limits.wrongLoginsPerClient = 4
    limits.wrongLoginsPerAccount = 2
    limits.loginWindowSeconds = 60
    limits.loginWindowCount = 10
    limiter = LoginLimiter(limits: limits) { [now] in now.withLockedValue { $0 } }
  }

  private func pass(milliseconds: Int64) { now.withLockedValue { $0 += milliseconds } }

  /// Tries a login from beginning to end.
  ///
  /// - Returns: Whether it was let through, or when to try again.
  private func tryLogin(
    _ account: String, from client: UInt32, isRight: Bool = false
  ) -> String {
    do {
      let attempt = try limiter.begin(client: .v4(client), account: account)
      limiter.end(attempt, isRight: isRight)
      return "in"
    } catch { return "\(error.status) after \(error.retryAfter) s" }
  }

  @Test func anAccountIsRefusedToAllClients() {
    #expect(
      [tryLogin("ada", from: 1), tryLogin("ada", from: 2), tryLogin("ada", from: 3)]
        == ["in", "in", "429 after 60 s"])
    // The owner is refused too, because the password isn't looked at.
    #expect(tryLogin("ada", from: 4, isRight: true) == "429 after 60 s")
    #expect(tryLogin("bob", from: 1) == "in")
  }

  @Test func aClientIsRefusedForAllAccounts() {
    #expect((1...4).map { tryLogin("user \($0)", from: 1) } == ["in", "in", "in", "in"])
    #expect(tryLogin("user 5", from: 1) == "429 after 60 s")
    #expect(tryLogin("user 5", from: 2) == "in")
  }

  @Test func theWindowBeginsWithTheFirstWrongLogin() {
    var history: [String] = []
    for _ in 1...4 {
      history.append(tryLogin("ada", from: 1))
      pass(milliseconds: 25_100)
    }
    // At 0, 25.1, 50.2 and 75.3 s.
    #expect(history == ["in", "in", "429 after 10 s", "in"])
  }

  @Test func rightLoginsDoNotCount() {
    #expect((1...20).allSatisfy { _ in tryLogin("ada", from: 1, isRight: true) == "in" })
    #expect(
      [tryLogin("ada", from: 1), tryLogin("ada", from: 1, isRight: true), tryLogin("ada", from: 1)]
        == ["in", "in", "in"])
    #expect(tryLogin("ada", from: 1) == "429 after 60 s")
  }

  /// Many at once don't get more tries than one after another.
  @Test func aLoginCountsWhileItIsUnderWay() throws {
    let first = try limiter.begin(client: .v4(1), account: "ada")
    _ = try limiter.begin(client: .v4(2), account: "ada")
    #expect(tryLogin("ada", from: 3) == "429 after 60 s")
    limiter.end(first, isRight: true)
    #expect(tryLogin("ada", from: 3) == "in")
  }

  /// A right login that began in an earlier window doesn't take a wrong one off this window.
  @Test func aLateEndCountsForItsOwnWindow() throws {
    let early = try limiter.begin(client: .v4(1), account: "ada")
    pass(milliseconds: 60_000)
    #expect([tryLogin("ada", from: 1), tryLogin("ada", from: 1)] == ["in", "in"])
    limiter.end(early, isRight: true)
    #expect(tryLogin("ada", from: 1) == "429 after 60 s")
  }

  @Test func theNumberOfWindowsIsBounded() {
    for number in 1...1000 {
      _ = tryLogin("user \(number)", from: UInt32(number))
      pass(milliseconds: 1)
      #expect(limiter.windowCount <= 10)
    }
    // The newest ones are still counted.
    _ = tryLogin("user 1000", from: 1)
    #expect(tryLogin("user 1000", from: 1).hasPrefix("429"))
  }

  /// Otherwise a flood of logins that the server refuses would drive out the windows of others.
  @Test func aLoginThatIsCancelledLeavesNoWindow() throws {
    #expect([tryLogin("ada", from: 1), tryLogin("ada", from: 2)] == ["in", "in"])
    for number in 10...1_000 {
      limiter.cancel(try limiter.begin(client: .v4(UInt32(number)), account: "user \(number)"))
    }
    #expect(limiter.windowCount == 3)
    #expect(tryLogin("ada", from: 3) == "429 after 60 s")
  }

  @Test func aNetworkOfIPv6IsOneClient() throws {
    func client(_ text: String) throws -> ClientAddress {
      ClientAddress(try SocketAddress(ipAddress: text, port: 80))
    }
    #expect(try client("2001:db8:1:2::1") == client("2001:db8:1:2:ffff::9"))
    #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1"))
    #expect(try client("127.0.0.1") != client("127.0.0.2"))
    #expect(try client("127.0.0.1") == .v4(0x7F00_0001))
    #expect(try client("::ffff:127.0.0.1") == client("127.0.0.1"))
    #expect(ClientAddress(nil) == .other)
  }
}
