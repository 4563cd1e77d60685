import Streams
import TestSupport
import Testing

@Suite struct LockedTests {
  @Test func givesAccessToTheState() {
    let locked = Locked([1])
    let count = locked.withLock { state in
      state.append(2)
      return state.count
    }
    expectEqual(count, 2)
    expectEqual(locked.withLock { $0 }, [1, 2])
  }

  @Test func aCopyIsTheSameLockAndState() {
    let locked = Locked(1)
    let copy = locked
    copy.withLock { $0 += 1 }
    expectEqual(locked.withLock { $0 }, 2)
  }

  @Test func isUnlockedByAThrow() {
    let locked = Locked(1)
    #expect(throws: TestError("over")) {
      try locked.withLock { state throws(TestError) in
        state += 1
        throw "over"
      }
    }
    expectEqual(locked.withLock { $0 }, 2)
  }

  @Test func aResultThatIsNotUsedIsReleasedAfterUnlocking() {
    let locked = Locked(0)
    _ = locked.withLock { _ in Token { #expect(!locked.isHeld) } }
    #expect(!locked.isHeld)
  }

  @Test func releasesTheStateWithTheLastCopy() {
    weak var released: Token?
    do {
      let token = Token()
      released = token
      let copy = Locked(token)
      copy.withLock { $0.touch() }
    }
    #expect(released == nil)
  }

  @Test func oneThreadIsInsideAtATime() {
    let locked = Locked(0)
    onThreads(4) { _ in for _ in 0..<5000 { locked.withLock { $0 += 1 } } }
    expectEqual(locked.withLock { $0 }, 20_000)
  }
}
