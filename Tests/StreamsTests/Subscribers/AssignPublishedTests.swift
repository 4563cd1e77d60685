import Streams
import TestSupport
import Testing

@Suite struct AssignPublishedTests {
  final class Model: ObservableObject {
    @Published var number = 0
    @Published var token: Token?
    let log: CallLog?
    init(log: CallLog? = nil) { self.log = log }
    deinit { log?.append("model released") }
  }

  let log = CallLog()
  let source = ScriptedPublisher<Int, Never>()

  @Test func setsAndPublishesThePropertyWithUnlimitedDemand() {
    let model = Model()
    let changes = model.objectWillChange.map { model.number }.history()
    let history = model.$number.history()
    source.assign(to: &model.$number)
    expectEqual(source.calls, [.request(.unlimited)])
    expectEqual(source.send(1), .none)
    expectEqual(source.send(2), .none)
    expectEqual(model.number, 2)
    expectEqual(history.values, [0, 1, 2])
    expectEqual(changes.values, [0, 1])
  }

  /// The wrapper is being accessed while the values arrive.
  @Test func valuesThatArriveWhileAssigningMayBeReadAndOverwritten() {
    let model = Model()
    let history = History<Int, Never>()
    history.onValue = { [log] value in
      log.append("\(value), is \(model.number)")
      if value == 2 { model.number = 7 }
      return .none
    }
    model.$number.subscribe(history)
    [1, 2, 3].publisher.assign(to: &model.$number)
    expectEqual(log.lines, ["0, is 0", "1, is 0", "2, is 1", "7, is 1", "3, is 2"])
    expectEqual(model.number, 3)
    history.cancel()
  }

  @Test func ignoresACompletion() {
    let model = Model()
    let history = model.$number.history()
    source.assign(to: &model.$number)
    source.send(1)
    source.finish()
    source.send(2)
    model.number = 3
    expectEqual(
      history.events, [.subscription("PublishedSubject"), .value(0), .value(1), .value(3)])
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func severalStreamsMayFeedOneProperty() {
    let model = Model()
    let other = ScriptedPublisher<Int, Never>()
    source.assign(to: &model.$number)
    other.assign(to: &model.$number)
    let history = model.$number.history()
    source.send(1)
    other.send(2)
    source.finish()
    other.send(3)
    expectEqual(history.values, [0, 1, 2, 3])
  }

  @Test func isCancelledWhenTheObjectIsReleased() {
    do {
      let model = Model(log: log)
      source.assign(to: &model.$number)
      source.onCancel = { [log] in log.append("cancelled") }
      source.send(1)
    }
    expectEqual(log.lines, ["model released", "cancelled"])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
    expectEqual(source.send(2), .none)
  }

  /// A subscriber keeps the subject alive, but the property is gone.
  @Test func isCancelledEvenIfThePropertyStillHasSubscribers() {
    let history: History<Int, Never>
    do {
      let model = Model(log: log)
      source.assign(to: &model.$number)
      history = model.$number.history()
    }
    source.send(1)
    expectEqual(log.lines, ["model released"])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
    expectEqual(history.values, [0])
  }

  @Test func isCancelledWithThePublisherOfAPropertyIfThatIsReleasedLast() {
    do {
      var publisher: Published<Int>.Publisher
      do {
        let model = Model(log: log)
        publisher = model.$number
      }
      expectEqual(log.lines, ["model released"])
      source.assign(to: &publisher)
      expectEqual(source.calls, [.request(.unlimited)])
    }
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func keepsNeitherTheObjectNorTheUpstreamAfterTheEnd() {
    let released = CallLog()
    let model = Model()
    do {
      let token = Token { released.append("upstream") }
      source.map { value in
        token.touch()
        return value
      }.assign(to: &model.$number)
    }
    source.send(1)
    expectEqual(released.lines, [])
    source.finish()
    source.releaseSubscribers()
    expectEqual(released.lines, ["upstream"])
    expectEqual(model.number, 1)
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let model = Model()
    source.assign(to: &model.$number)
    let second = source.sendSubscription()
    source.send(1)
    expectEqual(source.subscriptions[0].calls, [.request(.unlimited)])
    expectEqual(second.calls, [.cancel])
    expectEqual(model.number, 1)
  }

  @Test func valuesBeforeTheSubscriptionAreDropped() {
    let model = Model()
    let source = ScriptedPublisher<Int, Never>(sendsSubscription: false)
    source.assign(to: &model.$number)
    source.send(1)
    expectEqual(model.number, 0)
    source.sendSubscription()
    source.send(2)
    expectEqual(model.number, 2)
  }

  @Test func threadsMayDeliverWhileTheOwnerReads() {
    for _ in 0..<50 {
      do {
        // Thread 0 reads the property. The other thread sends to the subject only.
        nonisolated(unsafe) let model = Model(log: log)
        let source = source
        source.assign(to: &model.$number)
        onThreads(2) { thread in
          for value in 1...100 {
            if thread == 1 { source.send(value) } else { #expect((0...100).contains(model.number)) }
          }
        }
        expectEqual(model.number, 100)
      }
    }
    expectEqual(log.lines.count, 50)
  }
}
