import Synchronization
import TestSupport
import Testing

@testable import Streams

@Suite struct ExpiringTests {
  /// An expiring object at a fixed address, because it's in an object.
  final class Owner: Sendable {
    private let expiring: Expiring

    init(_ object: Token) { expiring = Expiring(object) }

    var isInOwnRun: Bool { expiring.expiry.isInOwnRun }
    func beginRun() -> Bool { expiring.expiry.enter(as: ThreadID.current) }
    func endRun() { expiring.leave() }
    func use(_ body: (Token) -> Void) { expiring.use(as: Token.self, body) }
    func retained() -> Token? { expiring.retained(as: Token.self) }
    func take() -> Token? { expiring.take(as: Token.self) }
    @discardableResult func expire() -> Bool { expiring.expire() }

    // The two halves of `retained(as:)`, so that a test can do something between them.
    func beginRetaining() {
      expiring.expiry.state.wrappingAdd(Expiry.guest, ordering: .sequentiallyConsistent)
    }

    func endRetaining() {
      expiring.expiry.state.wrappingSubtract(Expiry.guest, ordering: .sequentiallyConsistent)
    }

    var isGone: Bool { retained() == nil }

    /// Enters as one delivery, runs a closure, and leaves.
    func deliver(_ body: () -> Void) -> Bool {
      guard expiring.expiry.enter(as: ExpiryInsider.delivery) else { return false }
      body()
      expiring.leave()
      return true
    }
  }

  let log = CallLog()
  let owner: Owner

  init() { owner = Owner(Token { [log] in log.append("released") }) }

  @Test func theFirstCallThatExpiresItGetsTheObject() {
    #expect(!owner.isGone)
    #expect(owner.take() != nil)
    #expect(log.lines == ["released"])
    #expect(owner.take() == nil)
    #expect(!owner.expire())
    #expect(owner.isGone)
    #expect(log.lines == ["released"])
  }

  @Test func isReleasedWithItsOwnerAtTheLatest() {
    var owner: Owner? = Owner(Token { [log] in log.append("with its owner") })
    _ = owner?.deliver {}
    #expect(log.lines == [])
    owner = nil
    #expect(log.lines == ["with its owner"])
  }

  @Test(arguments: [false, true])
  func isReleasedWhenTheCallInsideLeaves(expiresOnAnotherThread: Bool) {
    let isInside = owner.deliver {
      if expiresOnAnotherThread {
        onAnotherThread { [owner] in _ = owner.expire() }
      } else {
        owner.expire()
      }
      log.append("inside")
      owner.use { _ in log.append("used") }
    }
    #expect(isInside)
    #expect(log.lines == ["inside", "released"])
    #expect(!owner.deliver {})
  }

  @Test func oneCallIsInsideAtATime() {
    let isInside = owner.deliver {
      #expect(!owner.deliver {})
      owner.use { _ in log.append("used") }
    }
    #expect(isInside)
    #expect(owner.deliver {})
    #expect(log.lines == ["used"])
  }

  @Test func aRunBelongsToItsThread() {
    #expect(!owner.isInOwnRun)
    #expect(owner.beginRun())
    #expect(owner.isInOwnRun)
    onAnotherThread { [owner] in
      #expect(!owner.isInOwnRun)
      #expect(!owner.deliver {})
      #expect(!owner.isGone)
    }
    owner.endRun()
    #expect(!owner.isInOwnRun)
    #expect(log.lines == [])
  }

  @Test func aRetainedObjectOutlivesTheEnd() {
    var retained = owner.retained()
    owner.expire()
    #expect(log.lines == [])
    withExtendedLifetime(retained) {}
    retained = nil
    #expect(log.lines == ["released"])
  }

  /// A thread that retains the object has to find it alive, even if it expires meanwhile.
  @Test(arguments: [false, true])
  func isNotReleasedWhileAThreadIsAboutToRetainIt(isInside: Bool) {
    func retainExpiring() {
      owner.beginRetaining()
      owner.expire()
    }
    if isInside { #expect(owner.deliver(retainExpiring)) } else { retainExpiring() }
    #expect(log.lines == [])
    // A guest that comes too late gets nothing, and leaves the release to the earlier one.
    #expect(owner.isGone)
    #expect(log.lines == [])
    owner.endRetaining()
    // The last guest to go releases it.
    #expect(owner.isGone)
    #expect(log.lines == ["released"])
  }

  @Test func isReleasedOnceHoweverManyThreadsUseIt() {
    for round in 1...300 {
      var owner: Owner? = Owner(Token { [log] in log.append("released") })
      let firsts = CallLog()
      onThreads(4) { [owner] thread in
        switch thread {
        case 0: _ = owner!.deliver { owner!.use { $0.touch() } }
        case 1: owner!.retained()?.touch()
        default: if owner!.expire() { firsts.append("first") }
        }
      }
      #expect(firsts.lines == ["first"])
      owner = nil
      #expect(log.lines.count == round)
    }
  }
}
