import Streams
import TestSupport
import Testing

@Suite struct ObservableObjectPublisherTests {
  let publisher = ObservableObjectPublisher()

  @Test(arguments: [Subscribers.Demand.max(1), .max(3), .unlimited])
  func deliversEverythingOnceAnythingWasRequested(demand: Subscribers.Demand) {
    let history = publisher.history(demand: .none)
    publisher.send()
    #expect(history.lines == ["subscription ObservableObjectPublisher"])
    history.request(demand)
    for _ in 0..<4 { publisher.send() }
    #expect(
      history.lines
        == ["subscription ObservableObjectPublisher"] + Array(repeating: "value ()", count: 4))
  }

  @Test func doesNotReplay() {
    let first = publisher.history()
    publisher.send()
    let second = publisher.history()
    publisher.send()
    #expect(first.values.count == 2)
    #expect(second.values.count == 1)
  }

  @Test func deliversNothingAfterACancellation() {
    let first = publisher.history()
    let second = publisher.history()
    first.onValue = { _ in
      first.cancel()
      second.cancel()
      return .max(1)
    }
    publisher.send()
    publisher.send()
    #expect(first.values.count == 1)
    #expect(second.values.count == 0)
  }

  @Test func sendsFromWithinADeliveryNest() {
    let log = CallLog()
    let first = History<Void, Never>(name: "first", log: log)
    let second = History<Void, Never>(name: "second", log: log)
    var isNested = false
    first.onValue = { [publisher] _ in
      if !isNested {
        isNested = true
        publisher.send()
        log.append("sent")
      }
      return .none
    }
    publisher.subscribe(first)
    publisher.subscribe(second)
    log.removeAll()
    publisher.send()
    #expect(
      log.lines
        == [
          "first: value ()", "first: value ()", "second: value ()", "sent", "second: value ()",
        ])
  }

  @Test func releasesASubscriberThatCancels() {
    weak var token: Token?
    var cancellable: AnyCancellable?
    do {
      let kept = Token()
      token = kept
      cancellable = publisher.sink { kept.touch() }
    }
    publisher.send()
    #expect(token != nil)
    cancellable?.cancel()
    #expect(token == nil)
  }

  @Test func isReleasedWithItsLastSubscriber() {
    weak var released: ObservableObjectPublisher?
    let history: History<Void, Never>
    do {
      let publisher = ObservableObjectPublisher()
      released = publisher
      history = publisher.history()
    }
    #expect(released != nil)
    history.cancel()
    #expect(released == nil)
  }

  @Test func threadsMaySendSubscribeAndCancel() {
    let all = publisher.history()
    onThreads(4) { [publisher] thread in
      for _ in 0..<200 {
        if thread < 2 {
          publisher.send()
        } else {
          let history = publisher.history()
          history.cancel()
        }
      }
    }
    #expect(all.values.count == 400)
  }
}
