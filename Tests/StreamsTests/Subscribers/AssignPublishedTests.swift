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
    #expect(source.calls == [.request(.unlimited)])
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(model.number == 2)
    #expect(history.values == [0, 1, 2])
    #expect(changes.values == [0, 1])
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
    #expect(log.lines == ["0, is 0", "1, is 0", "2, is 1", "7, is 1", "3, is 2"])
    #expect(model.number == 3)
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
    #expect(history.events == [.subscription("PublishedSubject"), .value(0), .value(1), .value(3)])
    #expect(source.calls == [.request(.unlimited)])
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
    #expect(history.values == [0, 1, 2, 3])
  }

  @Test func isCancelledWhenTheObjectIsReleased() {
    do {
      let model = Model(log: log)
      source.assign(to: &model.$number)
      source.onCancel = { [log] in log.append("cancelled") }
      source.send(1)
    }
    #expect(log.lines == ["model released", "cancelled"])
    #expect(source.calls == [.request(.unlimited), .cancel])
    #expect(source.send(2) == .none)
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
    #expect(log.lines == ["model released"])
    #expect(source.calls == [.request(.unlimited), .cancel])
    #expect(history.values == [0])
  }

  @Test func isCancelledWithThePublisherOfAPropertyIfThatIsReleasedLast() {
    do {
      var publisher: Published<Int>.Publisher
      do {
        let model = Model(log: log)
        publisher = model.$number
      }
      #expect(log.lines == ["model released"])
      source.assign(to: &publisher)
      #expect(source.calls == [.request(.unlimited)])
    }
    #expect(source.calls == [.request(.unlimited), .cancel])
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
    #expect(released.lines == [])
    source.finish()
    source.releaseSubscribers()
    #expect(released.lines == ["upstream"])
    #expect(model.number == 1)
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let model = Model()
    source.assign(to: &model.$number)
    let second = source.sendSubscription()
    source.send(1)
    #expect(source.subscriptions[0].calls == [.request(.unlimited)])
    #expect(second.calls == [.cancel])
    #expect(model.number == 1)
  }

  @Test func valuesBeforeTheSubscriptionAreDropped() {
    let model = Model()
    let source = ScriptedPublisher<Int, Never>(sendsSubscription: false)
    source.assign(to: &model.$number)
    source.send(1)
    #expect(model.number == 0)
    source.sendSubscription()
    source.send(2)
    #expect(model.number == 2)
  }

  @Test func onePropertyCanFollowAnother() {
    let first = Model()
    let second = Model()
    first.$number.map { $0 * 10 }.assign(to: &second.$number)
    first.number = 1
    #expect(second.number == 10)
    first.number = 2
    #expect(second.number == 20)
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
        #expect(model.number == 100)
      }
    }
    #expect(log.lines.count == 50)
  }
}
