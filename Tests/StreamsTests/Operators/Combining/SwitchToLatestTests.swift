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
    expectEqual(history.text, "SwitchToLatest: 1 3 4")
  }

  @Test func sendsItsSubscriptionThenSubscribesThenCancelsTheOldBeforeTheNew() {
    source.switchToLatest().subscribe(History(demand: .max(3), log: log))
    source.send(old)
    source.send(new)
    log.expect([
      "downstream: subscription SwitchToLatest", "upstream: subscribe",
      "upstream: request unlimited", "old: subscribe", "old: request max(3)", "old: cancel",
      "new: subscribe", "new: request max(3)",
    ])
  }

  @Test func unmetDemandGoesToTheNewestPublisher() {
    let history = source.switchToLatest().history(demand: .none)
    source.send(old)
    expectEqual(old.calls, [])
    history.request(3)
    old.send(1)
    source.send(new)
    new.send(2)
    history.request(4)
    expectEqual(new.calls, [.request(.max(2)), .request(.max(4))])
    expectEqual(old.calls, [.request(.max(3)), .cancel])
  }

  @Test func demandReturnedForAValueIsReturnedToItsPublisherAndARequestInsideGoesToIt() {
    source.switchToLatest().history(demand: .max(1), perValue: .max(2)) { history, _ in
      history.request(3)
    }
    source.send(new)
    expectEqual(new.send(1), .max(2))
    expectEqual(new.calls, [.request(.max(1)), .request(.max(3))])
  }

  @Test func demandReturnedForAValueThatBroughtANewPublisherGoesToThatPublisher() {
    source.switchToLatest().history(demand: .max(1), perValue: .max(2)) { [source, new] _, _ in
      source.send(new)
    }
    source.send(old)
    expectEqual(old.send(1), .none)
    expectEqual(old.calls, [.request(.max(1)), .cancel])
    expectEqual(new.calls, [.request(.max(2))])
  }

  @Test func valuesThatWereNotRequestedAreDeliveredAndTheNextPublisherIsOwedNothing() {
    let source = Source()
    let children = [Child(), Child()]
    let history = source.switchToLatest().history(demand: .max(1))
    source.send(children[0])
    for value in 1...3 { expectEqual(children[0].send(value), .none) }
    source.send(children[1])
    expectEqual(children[0].calls, [.request(.max(1)), .cancel])
    expectEqual(children[1].calls, [])
    history.request(2)
    expectEqual(children[1].calls, [.request(.max(2))])
    expectEqual(history.values, [1, 2, 3])
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
    expectEqual(history.text, "SwitchToLatest: 1 |")
    expectEqual(new.calls, [.request(.unlimited)])
  }

  @Test func finishesWithUpstreamIfTheNewestHasBeforeOrThereWasNone() {
    let history = source.switchToLatest().history()
    source.send(new)
    new.finish()
    #expect(history.completion == nil)
    source.finish()
    source.finish()
    expectEqual(history.text, "SwitchToLatest: |")
    let empty = Empty<Just<Int>, Never>().switchToLatest()
    expectEqual(empty.history(demand: .none).text, "SwitchToLatest: |")
  }

  @Test func theFailureOfTheNewestCancelsUpstreamAndIsTheEnd() {
    source.switchToLatest().subscribe(History(log: log))
    source.send(new)
    log.removeAll()
    new.fail("no more")
    new.send(1)
    source.send(old)
    source.fail("too late")
    log.expect(["upstream: cancel", "downstream: failure no more"])
  }

  @Test func theFailureOfUpstreamCancelsTheNewestAndIsTheEnd() {
    source.switchToLatest().subscribe(History(log: log))
    source.send(new)
    log.removeAll()
    source.fail("no more")
    new.send(1)
    new.finish()
    log.expect(["new: cancel", "downstream: failure no more"])
  }

  @Test func aFailureAfterUpstreamHasFinishedEndsTheStream() {
    let history = source.switchToLatest().history()
    source.send(new)
    source.finish()
    source.fail("after its end")
    #expect(history.completion == nil)
    new.fail("no more")
    expectEqual(history.text, "SwitchToLatest: x(no more)")
  }

  @Test func aReplacedPublisherWithoutASubscriptionIsNotHeardAnyMore() {
    let silent = Child(sendsSubscription: false)
    let history = source.switchToLatest().history()
    source.send(silent)
    source.send(new)
    expectEqual(silent.send(1), .none)
    silent.fail("too late")
    new.send(2)
    expectEqual(history.text, "SwitchToLatest: 2")
  }

  @Test func anOldPublisherThatAttachesLateIsCancelled() {
    let late = Child(sendsSubscription: false)
    _ = source.switchToLatest().history()
    source.send(late)
    source.send(new)
    expectEqual(late.sendSubscription().calls, [.cancel])
    expectEqual(new.calls, [.request(.unlimited)])
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
    expectEqual(history.values, history.values.sorted())
    expectEqual(history.values.last, subjects.count - 1)
    expectEqual(history.lines.filter { $0 == "finished" }, [])
    subjects[subjects.count - 1].send(completion: .finished)
    expectEqual(history.lines.last, "finished")
  }

  // MARK: Failures of different types

  @Test func joinsFailuresAsFlatMapDoes() {
    let neither: Publishers.SwitchToLatest = Just(Just(1)).switchToLatest()
    expectEqual(neither.history().text, "SwitchToLatest: 1 |")

    let child = Fail<Int, TestError>(error: "no more")
    let upstreamCannot = Just(child).switchToLatest()
    expectEqual(upstreamCannot.history().text, "SwitchToLatest: x(no more)")

    let upstream = PassthroughSubject<Just<Int>, TestError>()
    let history = upstream.switchToLatest().history()
    upstream.send(Just(1))
    upstream.send(completion: .failure("no more"))
    expectEqual(history.text, "SwitchToLatest: 1 x(no more)")
  }
}
