import TestSupport
import Testing

@testable import Streams

@Suite struct RelaySubscriptionTests {
  let relay = DetachingRelay("Relay")
  let upstream = ScriptedSubscription()

  @Test func passesRequestsAndACancellationOn() {
    #expect(!relay.isActive)
    #expect(relay.attach(upstream))
    #expect(relay.isActive)
    relay.request(.max(1))
    relay.request(.unlimited)
    relay.cancel()
    relay.cancel()
    relay.request(.max(1))
    expectEqual(upstream.calls, [.request(.max(1)), .request(.unlimited), .cancel])
  }

  @Test(arguments: ["cancelled", "ended", "detached"], [true, false])
  func isOverFromItsEndOn(end: String, isAttached: Bool) {
    #expect(!relay.isOver)
    if isAttached { #expect(relay.attach(upstream)) }
    #expect(!relay.isOver)
    switch end {
    case "cancelled": relay.cancel()
    case "ended": #expect(relay.end().isFirst)
    default: #expect(relay.detach().isFirst)
    }
    #expect(relay.isOver)
    #expect(!relay.isActive)
    // Only what has detached owes an end, and only once.
    expectEqual(relay.conclude(), (end == "detached"))
    #expect(!relay.detach().isFirst)
    #expect(!relay.end().isFirst)
    #expect(!relay.conclude())
    #expect(relay.isOver)
    let late = ScriptedSubscription()
    #expect(!relay.attach(late))
    expectEqual(late.calls, [.cancel])
  }

  @Test func aSecondSubscriptionIsCancelledAndNothingElse() {
    let second = ScriptedSubscription()
    #expect(relay.attach(upstream))
    #expect(!relay.attach(second))
    relay.request(.max(1))
    expectEqual(upstream.calls, [.request(.max(1))])
    expectEqual(second.calls, [.cancel])
    #expect(relay.isActive)
  }

  @Test func theFirstEndReturnsTheUpstream() {
    #expect(relay.attach(upstream))
    let ended = relay.end().upstream
    expectEqual(ended?.combineIdentifier, upstream.combineIdentifier)
    #expect(relay.upstream == nil)
    relay.request(.max(1))
    relay.cancel()
    expectEqual(upstream.calls, [])
  }

  @Test func concludesOnceAfterItHasDetached() {
    #expect(!relay.conclude())
    #expect(relay.attach(upstream))
    #expect(!relay.conclude())
    expectEqual(relay.detach().upstream?.combineIdentifier, upstream.combineIdentifier)
    #expect(relay.isDetached)
    #expect(!relay.isActive)
    #expect(!relay.detach().isFirst)
    relay.request(.max(1))
    #expect(relay.conclude())
    #expect(!relay.conclude())
    #expect(!relay.isDetached)
    expectEqual(upstream.calls, [])
  }

  @Test func aCancellationBetweenDetachingAndConcludingCounts() {
    #expect(relay.attach(upstream))
    _ = relay.detach()
    relay.cancel()
    #expect(!relay.isDetached)
    #expect(!relay.conclude())
    expectEqual(upstream.calls, [])
  }

  @Test func releasesTheUpstreamAtTheEnd() {
    weak var released: ScriptedSubscription?
    do {
      let upstream = ScriptedSubscription()
      released = upstream
      #expect(relay.attach(upstream))
    }
    #expect(released != nil)
    relay.cancel()
    #expect(released == nil)
  }

  @Test func itsUpstreamMayCallItBack() {
    let relay = relay
    let upstream = ScriptedSubscription(
      onRequest: { _ in relay.cancel() }, onCancel: { relay.cancel() })
    #expect(relay.attach(upstream))
    relay.request(.max(1))
    expectEqual(upstream.calls, [.request(.max(1)), .cancel])
  }

  @Test func isDescribedByItsName() {
    expectEqual(relay.description, "Relay")
    expectEqual(relay.playgroundDescription as? String, "Relay")
    #expect(relay.customMirror.children.isEmpty)
  }

  @Test func requestingZeroValuesIsAProgrammingError() async {
    await #expect(processExitsWith: .failure) { RelaySubscription("Relay").request(.none) }
  }

  @Test func requestingZeroValuesIsPassedOnIfTheOperatorAllowsIt() {
    let relay = RelaySubscription("Relay", trapsOnNoDemand: false)
    #expect(relay.attach(upstream))
    relay.request(.none)
    expectEqual(upstream.calls, [.request(.none)])
  }

  @Test func threadsMayAttachRequestAndCancel() {
    for _ in 0..<200 {
      nonisolated(unsafe) let relay = RelaySubscription("Relay")
      let upstream = ScriptedSubscription()
      onThreads(3) { thread in
        switch thread {
        case 0: if relay.attach(upstream) { relay.request(.max(1)) }
        case 1: relay.cancel()
        default: relay.request(.max(1))
        }
      }
      expectEqual(upstream.calls.count { $0 == .cancel }, 1)
      #expect(!relay.isActive)
    }
  }

  /// An upstream that is used after its release crashes, and the thread sanitizer reports it.
  @Test func requestsWhileAnotherThreadEndsReachALivingUpstream() {
    for _ in 0..<300 {
      nonisolated(unsafe) let relay = RelaySubscription("Relay")
      let releases = Locked(0)
      #expect(relay.attach(FleetingSubscription { releases.withLock { $0 += 1 } }))
      onThreads(4) { thread in
        if thread == 0 {
          relay.cancel()
        } else {
          for _ in 0..<20 { relay.request(.max(1)) }
        }
      }
      expectEqual(releases.withLock { $0 }, 1)
      #expect(relay.upstream == nil)
    }
  }

  @Test func demandBeforeTheUpstreamIsCountedOnEveryThread() {
    for _ in 0..<200 {
      nonisolated(unsafe) let relay = LateRelay("Relay")
      let upstream = ScriptedSubscription()
      onThreads(3) { thread in
        if thread == 0 {
          relay.attachLate(upstream)
        } else {
          for _ in 0..<10 { relay.request(.max(1)) }
        }
      }
      let demand = upstream.calls.reduce(Subscribers.Demand.none) { sum, call in
        if case .request(let demand) = call { sum + demand } else { sum }
      }
      expectEqual(demand, .max(20))
    }
  }
}

/// A subscription that only the relay keeps.
private final class FleetingSubscription: Subscription {
  private let onRelease: () -> Void
  private let demand = Locked(Subscribers.Demand.none)

  init(onRelease: @escaping () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }

  func request(_ demand: Subscribers.Demand) { self.demand.withLock { $0 += demand } }

  func cancel() { demand.withLock { $0 = .none } }
}
