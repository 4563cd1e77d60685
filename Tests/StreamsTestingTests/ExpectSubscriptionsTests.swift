import Streams
import StreamsTesting
import Testing

struct ExpectSubscriptionsTests {
  private let clock = VirtualTimeScheduler()

  @Test func recordsWhenSubscriptionsBeginAndEnd() {
    let source = clock.cold("-a-|")
    let first = source.record(on: clock)
    first.cancel(at: .milliseconds(2))
    clock.advance(by: .milliseconds(1))
    let second = source.record(on: clock)
    clock.run()
    let third = source.record(on: clock)
    #expect(
      source.subscriptions == [
        TimedSubscription(subscribed: .zero, cancelled: .milliseconds(2)),
        TimedSubscription(subscribed: .milliseconds(1), completed: .milliseconds(4)),
        TimedSubscription(subscribed: .milliseconds(4)),
      ])
    second.cancel()
    #expect(source.subscriptions.map(\.description) == ["^-!", "-^--|", "----^"])
    third.cancel()
    #expect(source.subscriptions.map(\.description) == ["^-!", "-^--|", "----(^!)"])
  }

  @Test func aDifferenceShowsAllSubscriptions() {
    let source = clock.hot("-a-|")
    let first = source.record(on: clock)
    first.cancel(at: .milliseconds(2))
    clock.advance(by: .milliseconds(1))
    let second = source.record(on: clock)
    clock.run()
    #expect(second.completion == .finished)
    #expect(
      issues { expectSubscriptions(source, ["^-!", "-^-!"]) } == [
        """
        the subscriptions differ at number 2
          expected  ^-!
          expected  -^-!
          actual    ^-!
          actual    -^-|
          the actual ones, to paste: ["^-!", "-^-|"]
        """
      ])
    #expect(issues { expectSubscriptions(source, ["^-!", "-^-|"]) } == [])
  }

  @Test func noneAndTooManyDiffer() {
    let source = clock.cold("-a-|")
    #expect(
      issues { expectSubscriptions(source, ["^"]) } == [
        """
        the subscriptions differ at number 1
          expected  ^
          actual    none
          the actual ones, to paste: []
        """
      ])
    let recorder = source.record(on: clock)
    #expect(issueLines { expectSubscriptions(source, []) } == [#line])
    recorder.cancel()
  }

  @Test func unreadableMarblesAreTheIssue() {
    #expect(
      issues { expectSubscriptions([], ["^)"]) } == [
        """
        can't read the marbles: this closes no group, so add `(` before it
          ^)
           ^
        """
      ])
  }
}
