import Streams
import Testing
import VirtualTime

struct ScopeTests {
  struct Mishap: Error {}

  let reports = History()

  var report: @Sendable (GuardFailure) -> Void {
    { [reports] in reports.append("\($0.rule)") }
  }

  @Test func `gives back what the closure returns`() {
    let text = withVirtualTime(onFailure: report) { clock in
      clock.schedule(after: .seconds(2)) {}
      clock.run()
      return "at \(clock.now)"
    }
    #expect(text == "at 2s")
    #expect(reports.lines == [])
  }

  @Test func `throws what the closure throws, and reports nothing else`() {
    #expect(throws: Mishap.self) {
      try withVirtualTime(onFailure: report) { clock in
        clock.schedule {}
        throw Mishap()
      }
    }
    #expect(reports.lines == [])
  }

  @Test func `reports no unfinished work when something was reported before`() {
    withVirtualTime(onFailure: report) { clock in
      clock.schedule(after: .seconds(1)) {}
      clock.advance(by: -1)
    }
    #expect(reports.lines == ["goingBack"])
  }

  @Test func `releases the remaining work`() {
    withVirtualTime(onFailure: report) { clock in
      // The work keeps itself alive: the clock holds the action, the action holds the token, and
      // the token holds the clock.
      var token: (any Cancellable)?
      let object = AnyCancellable { [reports] in reports.append("released") }
      token = clock.schedule(
        after: .zero, interval: 1, tolerance: 0, options: .init(background: true)
      ) { _ = (object, token) }
      clock.advance()
    }
    #expect(reports.lines == ["released"])
  }

  @Test func `a token that outlives its scope doesn't cancel later work`() {
    let (clock, token) = withVirtualTime(onFailure: report) { clock in
      (
        clock,
        clock.schedule(after: .seconds(1), interval: .max) { [reports] in reports.append("a") }
      )
    }
    let other = clock.schedule(after: .seconds(1), interval: .max) { [reports] in
      reports.append("b")
    }
    token.cancel()
    clock.run()
    withExtendedLifetime(other) {}
    #expect(reports.lines == ["unfinishedWork", "b"])
  }

  @Test func `a scope within a scope has its own clock`() {
    withVirtualTime(onFailure: report) { outer in
      outer.advance(by: 1)
      withVirtualTime(onFailure: report) { inner in
        inner.advance(by: 5)
        #expect(inner.now == .seconds(5))
      }
      outer.advance(by: 1)
      #expect(outer.now == .seconds(2))
    }
    #expect(reports.lines == [])
  }
}
