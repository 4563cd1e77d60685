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
    #expect(log.lines == [])
    cancellable.cancel()
    cancellable.cancel()
    #expect(log.lines == ["cancel"])
  }

  @Test func cancelsWhenItIsReleased() {
    var cancellable: AnyCancellable? = AnyCancellable { [log] in log.append("cancel") }
    #expect(cancellable != nil)
    cancellable = nil
    #expect(log.lines == ["cancel"])
  }

  @Test func doesNotCancelAgainWhenItIsReleased() {
    do {
      let cancellable = AnyCancellable { [log] in log.append("cancel") }
      cancellable.cancel()
    }
    #expect(log.lines == ["cancel"])
  }

  @Test func releasesItsClosureAfterItRan() {
    func make() -> AnyCancellable {
      let token = Token { [log] in log.append("released") }
      return AnyCancellable { [log] in
        log.append("cancel")
        token.touch()
      }
    }
    let cancellable = make()
    #expect(log.lines == [])
    cancellable.cancel()
    withExtendedLifetime(cancellable) { #expect(log.lines == ["cancel", "released"]) }
  }

  @Test func keepsAnotherCancellableUntilItHasCancelledIt() {
    let cancellable = AnyCancellable(
      Logged(log: log, token: Token { [log] in log.append("released") }))
    #expect(log.lines == [])
    cancellable.cancel()
    withExtendedLifetime(cancellable) { #expect(log.lines == ["cancel", "released"]) }
  }

  @Test func mayBeCancelledInsideItsClosure() {
    weak var inside: AnyCancellable?
    let cancellable = AnyCancellable { [log] in
      log.append("cancel")
      inside?.cancel()
    }
    inside = cancellable
    cancellable.cancel()
    #expect(log.lines == ["cancel"])
  }

  @Test func isEqualToItselfOnly() {
    let first = AnyCancellable {}
    let second = AnyCancellable {}
    #expect(first == first)
    #expect(first != second)
    #expect(Set([first, second, first]).count == 2)
  }

  @Test func isStoredAsTheSameObject() {
    let cancellable = AnyCancellable { [log] in log.append("cancel") }
    var set: Set<AnyCancellable> = []
    var list: [AnyCancellable] = []
    cancellable.store(in: &set)
    cancellable.store(in: &set)
    cancellable.store(in: &list)
    #expect(set == [cancellable])
    #expect(list == [cancellable])
    set.removeAll()
    list.removeAll()
    #expect(log.lines == [])
    cancellable.cancel()
  }

  @Test func aStoredCancellableIsCancelledWhenItIsRemoved() {
    var set: Set<AnyCancellable> = []
    var list: [AnyCancellable] = []
    Logged(log: log, token: Token()).store(in: &set)
    Logged(log: log, token: Token()).store(in: &list)
    #expect(log.lines == [])
    set.removeAll()
    #expect(log.lines == ["cancel"])
    list.removeAll()
    #expect(log.lines == ["cancel", "cancel"])
  }

  @Test func runsItsClosureOnceHoweverManyThreadsCancel() {
    for _ in 0..<200 {
      let log = CallLog()
      let cancellable = AnyCancellable { log.append("cancel") }
      onThreads(3) { _ in cancellable.cancel() }
      #expect(log.lines == ["cancel"])
    }
  }
}
