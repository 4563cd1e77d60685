import TestSupport
import Testing

@testable import Streams

@Suite struct SubscriptionTests {
  /// A subscription that isn't an object.
  struct Plain: Subscription, CustomStringConvertible {
    let target: ScriptedSubscription
    let token = Token()

    var combineIdentifier: CombineIdentifier { target.combineIdentifier }
    var description: String { "Plain" }

    func request(_ demand: Subscribers.Demand) { target.request(demand) }
    func cancel() { target.cancel() }
  }

  let target = ScriptedSubscription()

  @Test func anObjectIsKeptAsItIs() {
    let kept: any Subscription = target
    #expect(kept._object.value === target)
    #expect(target._object.value === target)
  }

  @Test func anotherSubscriptionIsKeptInABox() {
    let kept = Plain(target: target)._object.value
    kept.request(.max(2))
    kept.cancel()
    expectEqual(target.calls, [.request(.max(2)), .cancel])
    expectEqual("\(kept)", "Plain")
    expectEqual(kept.combineIdentifier, target.combineIdentifier)
  }

  @Test func aStageRequestsThroughABoxAndShowsItsDescription() {
    let relay = RelaySubscription("Relay", showsUpstream: true)
    #expect(relay.attach(Plain(target: target)))
    expectEqual(relay.description, "Plain")
    relay.request(.unlimited)
    relay.cancel()
    expectEqual(relay.description, "Relay")
    expectEqual(target.calls, [.request(.unlimited), .cancel])
  }

  @Test func aBoxIsReleasedAtTheEnd() {
    let relay = RelaySubscription("Relay")
    weak var token: Token?
    do {
      let plain = Plain(target: target)
      token = plain.token
      #expect(relay.attach(plain))
    }
    #expect(token != nil)
    _ = relay.end()
    #expect(token == nil)
  }
}
