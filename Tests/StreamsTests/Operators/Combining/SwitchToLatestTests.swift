import Foundation
import Streams
import TestSupport
import Testing

private typealias Child = ScriptedPublisher<Int, TestError>
private typealias Source = ScriptedPublisher<Child, TestError>

struct SwitchToLatestTests {
  private let log = CallLog()
  private let source: Source
  private let old: Child
  private let new: Child

  init() {
    source = Source(log: log)
    old = Child(name: "old", log: log)
    new = Child(name: "new", log: log)
  }

  // MARK: Values and demand

  @Test func publishesTheValuesOfTheNewestOnly() {
    let history = source.switchToLatest().history()
    source.send(old)
    old.send(1)
    source.send(new)
    old.send(2)
    new.send(3)
    old.fail("too late")
    new.send(4)
    #expect(
      history.events == [.subscription("SwitchToLatest"), .value(1), .value(3), .value(4)])
  }

  @Test func sendsItsSubscriptionThenSubscribesThenCancelsTheOldBeforeTheNew() {
    source.switchToLatest().subscribe(History(demand: .max(3), log: log))
    source.send(old)
    source.send(new)
    #expect(
      log.lines == [
        "downstream: subscription SwitchToLatest", "upstream: subscribe",
        "upstream: request unlimited", "old: subscribe", "old: request max(3)", "old: cancel",
        "new: subscribe", "new: request max(3)",
      ])
  }

  @Test func unmetDemandGoesToTheNewestPublisher() {
    let history = source.switchToLatest().history(demand: .max(3))
    source.send(old)
    old.send(1)
    source.send(new)
    #expect(new.calls == [.request(.max(2))])
    new.send(2)
    history.request(4)
    #expect(new.calls == [.request(.max(2)), .request(.max(4))])
    #expect(old.calls == [.request(.max(3)), .cancel])
  }

  @Test func withoutDemandNothingIsRequestedUntilThereIsSome() {
    let history = source.switchToLatest().history(demand: .none)
    source.send(new)
    #expect(new.calls == [])
    history.request(1)
    #expect(new.calls == [.request(.max(1))])
  }

  @Test func demandReturnedForAValueIsReturnedToItsPublisher() {
    _ = source.switchToLatest().history(demand: .max(1), perValue: .max(2))
    source.send(new)
    #expect(new.send(1) == .max(2))
    #expect(new.calls == [.request(.max(1))])
  }

  @Test func demandReturnedForAValueThatBroughtANewPublisherGoesToThatPublisher() {
    let history = History<Int, TestError>(demand: .max(1), perValue: .max(2))
    history.onValue = { [source, new] _ in
      source.send(new)
      return .none
    }
    source.switchToLatest().subscribe(history)
    source.send(old)
    #expect(old.send(1) == .none)
    #expect(old.calls == [.request(.max(1)), .cancel])
    #expect(new.calls == [.request(.max(2))])
  }

  @Test func aRequestFromWithinAValueGoesToTheNewest() {
    let history = History<Int, TestError>(demand: .max(1))
    history.onValue = { [unowned history] _ in
      history.request(3)
      return .max(1)
    }
    source.switchToLatest().subscribe(history)
    source.send(new)
    #expect(new.send(1) == .max(1))
    #expect(new.calls == [.request(.max(1)), .request(.max(3))])
  }

  @Test func valuesThatWereNotRequestedAreDeliveredAndTheNextPublisherIsOwedNothing() {
    let source = Source()
    let children = [Child(), Child()]
    let history = source.switchToLatest().history(demand: .max(1))
    source.send(children[0])
    for value in 1...3 { #expect(children[0].send(value) == .none) }
    source.send(children[1])
    #expect(children[0].calls == [.request(.max(1)), .cancel])
    #expect(children[1].calls == [])
    history.request(2)
    #expect(children[1].calls == [.request(.max(2))])
    #expect(history.values == [1, 2, 3])
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      Source().switchToLatest().history(demand: .none).request(.none)
    }
  }

  // MARK: Completion

  @Test func finishesWhenUpstreamAndTheNewestHave() {
    let history = source.switchToLatest().history()
    source.send(old)
    old.finish()
    source.send(new)
    source.finish()
    #expect(history.completion == nil)
    new.send(1)
    new.finish()
    new.finish()
    #expect(history.events == [.subscription("SwitchToLatest"), .value(1), .finished])
    #expect(new.calls == [.request(.unlimited)])
  }

  @Test func finishesWithUpstreamIfTheNewestHasBeforeOrThereWasNone() {
    let history = source.switchToLatest().history()
    source.send(new)
    new.finish()
    #expect(history.completion == nil)
    source.finish()
    source.finish()
    #expect(history.events == [.subscription("SwitchToLatest"), .finished])
    #expect(
      Empty<Just<Int>, Never>().switchToLatest().history(demand: .none).lines
        == ["subscription SwitchToLatest", "finished"])
  }

  @Test func theFailureOfTheNewestCancelsUpstreamAndIsTheEnd() {
    source.switchToLatest().subscribe(History(log: log))
    source.send(new)
    log.removeAll()
    new.fail("no more")
    new.send(1)
    source.send(old)
    source.fail("too late")
    #expect(log.lines == ["upstream: cancel", "downstream: failure no more"])
  }

  @Test func theFailureOfUpstreamCancelsTheNewestAndIsTheEnd() {
    source.switchToLatest().subscribe(History(log: log))
    source.send(new)
    log.removeAll()
    source.fail("no more")
    new.send(1)
    new.finish()
    #expect(log.lines == ["new: cancel", "downstream: failure no more"])
  }

  @Test(arguments: [false, true])
  func aCancellationWhileTheNewestIsCancelledPreventsTheFailure(_ isInADelivery: Bool) {
    let history = source.switchToLatest().history()
    source.send(new)
    new.onCancel = { history.cancel() }
    if isInADelivery {
      history.onValue = { [source] _ in
        source.fail("no more")
        return .none
      }
      new.send(1)
    } else {
      source.fail("no more")
    }
    let values: [History<Int, TestError>.Event] = isInADelivery ? [.value(1)] : []
    #expect(history.events == [.subscription("SwitchToLatest")] + values)
    #expect(new.calls == [.request(.unlimited), .cancel])
    new.onCancel = nil
    history.onValue = nil
  }

  @Test func aFailureAfterUpstreamHasFinishedEndsTheStream() {
    let history = source.switchToLatest().history()
    source.send(new)
    source.finish()
    source.fail("after its end")
    #expect(history.completion == nil)
    new.fail("no more")
    #expect(history.events == [.subscription("SwitchToLatest"), .failure("no more")])
  }

  @Test func aSubscriptionAfterACancellationIsCancelled() {
    let late = Child(sendsSubscription: false)
    let history = source.switchToLatest().history()
    source.send(late)
    history.cancel()
    #expect(late.sendSubscription().calls == [.cancel])
    source.sendSubscription()
    #expect(source.subscriptions.last?.calls == [.cancel])
  }

  @Test func aSecondSubscriptionOfEitherIsCancelled() {
    let history = source.switchToLatest().history(demand: .max(1))
    source.send(new)
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(new.sendSubscription().calls == [.cancel])
    history.request(2)
    #expect(new.subscriptions[0].calls == [.request(.max(1)), .request(.max(2))])
    #expect(history.events == [.subscription("SwitchToLatest")])
  }

  @Test func aPublisherBeforeTheSubscriptionCountsAndOneAfterTheEndIsDropped() {
    let source = Source(sendsSubscription: false)
    let history = source.switchToLatest().history()
    #expect(source.send(old) == .none)
    old.send(1)
    source.sendSubscription()
    source.send(new)
    source.finish()
    #expect(source.send(old) == .none)
    new.send(2)
    #expect(old.calls == [.request(.unlimited), .cancel])
    #expect(old.subscriberCount == 1)
    #expect(history.events == [.subscription("SwitchToLatest"), .value(1), .value(2)])
  }

  @Test func theNewestPublisherNeedsNoSubscription() {
    let silent = Child(sendsSubscription: false)
    let history = source.switchToLatest().history()
    source.send(silent)
    #expect(silent.send(1) == .none)
    silent.finish()
    #expect(silent.send(2) == .none)
    #expect(silent.sendSubscription().calls == [.cancel])
    source.send(new)
    new.send(3)
    source.finish()
    new.finish()
    #expect(history.events == [.subscription("SwitchToLatest"), .value(1), .value(3), .finished])
  }

  @Test func aReplacedPublisherWithoutASubscriptionIsNotHeardAnyMore() {
    let silent = Child(sendsSubscription: false)
    let history = source.switchToLatest().history()
    source.send(silent)
    source.send(new)
    #expect(silent.send(1) == .none)
    silent.fail("too late")
    new.send(2)
    #expect(history.events == [.subscription("SwitchToLatest"), .value(2)])
  }

  @Test func anOldPublisherThatAttachesLateIsCancelled() {
    let late = Child(sendsSubscription: false)
    _ = source.switchToLatest().history()
    source.send(late)
    source.send(new)
    #expect(late.sendSubscription().calls == [.cancel])
    #expect(new.calls == [.request(.unlimited)])
  }

  @Test func theEndReleasesEverythingItHeld() {
    for isCancelled in [true, false] {
      let source = Source()
      weak var history: History<Int, TestError>?
      weak var child: Child?
      do {
        let downstream = source.switchToLatest().history()
        history = downstream
        let newest = Child()
        child = newest
        source.send(newest)
        if isCancelled { downstream.cancel() } else { newest.fail("no more") }
        downstream.releaseSubscription()
      }
      #expect(history == nil)
      #expect(child == nil)
    }
  }

  // MARK: Threads

  @Test func valuesOfAnOldPublisherNeverFollowThoseOfANewOne() {
    let publishers = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let history = publishers.switchToLatest().history()
    let subjects = (0..<200).map { _ in PassthroughSubject<Int, Never>() }
    let newest = Locked(0)
    onThreads(2) { thread in
      if thread == 0 {
        for (index, subject) in subjects.enumerated() {
          publishers.send(subject)
          newest.withLock { $0 = index }
        }
        publishers.send(completion: .finished)
      } else {
        var last = -1
        while last < subjects.count - 1 {
          let index = newest.withLock { $0 }
          // So that the history stays short even if the other thread gets no core for a while.
          if index == last { sched_yield() }
          last = index
          subjects[index].send(index)
        }
      }
    }
    #expect(history.values == history.values.sorted())
    #expect(history.values.last == subjects.count - 1)
    #expect(history.lines.filter { $0 == "finished" } == [])
    subjects[subjects.count - 1].send(completion: .finished)
    #expect(history.lines.last == "finished")
  }

  // MARK: Failures of different types

  @Test func joinsFailuresAsFlatMapDoes() {
    let neither: Publishers.SwitchToLatest = Just(Just(1)).switchToLatest()
    #expect(neither.history().lines == ["subscription SwitchToLatest", "value 1", "finished"])

    let child = Fail<Int, TestError>(error: "no more")
    let upstreamCannot = Just(child).switchToLatest()
    #expect(
      upstreamCannot.history().events
        == [.subscription("SwitchToLatest"), .failure("no more")])

    let upstream = PassthroughSubject<Just<Int>, TestError>()
    let history = upstream.switchToLatest().history()
    upstream.send(Just(1))
    upstream.send(completion: .failure("no more"))
    #expect(
      history.events == [.subscription("SwitchToLatest"), .value(1), .failure("no more")])
  }
}
