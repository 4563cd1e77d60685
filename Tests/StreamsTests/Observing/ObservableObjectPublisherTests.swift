import Streams
import TestSupport
import Testing

/// Tests what only this publisher does. It shares `SubjectHub` with `PassthroughSubject`.
@Suite struct ObservableObjectPublisherTests {
  let publisher = ObservableObjectPublisher()

  @Test(arguments: [Subscribers.Demand.max(1), .max(3), .unlimited])
  func deliversEverythingOnceAnythingWasRequested(demand: Subscribers.Demand) {
    let history = publisher.history(demand: .none)
    publisher.send()
    expectEqual(history.lines, ["subscription ObservableObjectPublisher"])
    history.request(demand)
    for _ in 0..<4 { publisher.send() }
    expectEqual(
      history.lines,
      ["subscription ObservableObjectPublisher"] + Array(repeating: "value ()", count: 4))
  }

  @Test func doesNotReplay() {
    let first = publisher.history()
    publisher.send()
    let second = publisher.history()
    publisher.send()
    expectEqual(first.values.count, 2)
    expectEqual(second.values.count, 1)
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
}
