import Streams
import TestSupport
import Testing

@Suite struct AnyCancellableTests {
  struct Logged: Cancellable {
    let log: CallLog
    let token: Token
    func cancel() { log.append("cancel") }
  }

  let log = CallLog()

  @Test func runsItsClosureOnce() {
    let cancellable = AnyCancellable { [log] in log.append("cancel") }
    expectEqual(log.lines, [])
    cancellable.cancel()
    cancellable.cancel()
    expectEqual(log.lines, ["cancel"])
  }

  @Test(arguments: [false, true]) func cancelsOnceIfItIsReleased(isCancelledBefore: Bool) {
    do {
      let cancellable = AnyCancellable { [log] in log.append("cancel") }
      if isCancelledBefore { cancellable.cancel() }
      expectEqual(log.lines, isCancelledBefore ? ["cancel"] : [])
    }
    expectEqual(log.lines, ["cancel"])
  }

  @Test func releasesWhatItKeepsAfterTheCancellation() {
    func token() -> Token { Token { [log] in log.append("released") } }
    func make() -> AnyCancellable {
      let token = token()
      return AnyCancellable { [log] in
        log.append("cancel")
        token.touch()
      }
    }
    for cancellable in [make(), AnyCancellable(Logged(log: log, token: token()))] {
      expectEqual(log.lines, [])
      cancellable.cancel()
      withExtendedLifetime(cancellable) { expectEqual(log.lines, ["cancel", "released"]) }
      log.removeAll()
    }
  }

  @Test func mayBeCancelledInsideItsClosure() {
    weak var inside: AnyCancellable?
    let cancellable = AnyCancellable { [log] in
      log.append("cancel")
      inside?.cancel()
    }
    inside = cancellable
    cancellable.cancel()
    expectEqual(log.lines, ["cancel"])
  }

  @Test func isEqualToItselfOnly() {
    let first = AnyCancellable {}
    let second = AnyCancellable {}
    expectEqual(first, first)
    #expect(first != second)
    expectEqual(Set([first, second, first]).count, 2)
  }

  @Test func isStoredAsTheSameObject() {
    let cancellable = AnyCancellable { [log] in log.append("cancel") }
    var set: Set<AnyCancellable> = []
    var list: [AnyCancellable] = []
    cancellable.store(in: &set)
    cancellable.store(in: &set)
    cancellable.store(in: &list)
    expectEqual(set, [cancellable])
    expectEqual(list, [cancellable])
    set.removeAll()
    list.removeAll()
    expectEqual(log.lines, [])
    cancellable.cancel()
  }

  @Test func aStoredCancellableIsCancelledWhenItIsRemoved() {
    var set: Set<AnyCancellable> = []
    var list: [AnyCancellable] = []
    Logged(log: log, token: Token()).store(in: &set)
    Logged(log: log, token: Token()).store(in: &list)
    expectEqual(log.lines, [])
    set.removeAll()
    expectEqual(log.lines, ["cancel"])
    list.removeAll()
    expectEqual(log.lines, ["cancel", "cancel"])
  }

  @Test func runsItsClosureOnceHoweverManyThreadsCancel() {
    for _ in 0..<200 {
      let log = CallLog()
      let cancellable = AnyCancellable { log.append("cancel") }
      onThreads(3) { _ in cancellable.cancel() }
      expectEqual(log.lines, ["cancel"])
    }
  }
}
