import Streams
import TestSupport
import Testing

@Suite struct MulticastTests {
  let log = CallLog()
  let source = ScriptedPublisher<Int, Never>()

  @Test func makesItsSubjectOnceAndOnlyWhenNeeded() {
    let source = ScriptedPublisher<Int, Never>(log: log)
    let multicast = source.multicast { () -> PassthroughSubject<Int, Never> in
      log.append("subject")
      return PassthroughSubject()
    }
    log.expect([])
    multicast.subscribe(History(log: log))
    let connection = multicast.connect()
    source.send(1)
    connection.cancel()
    source.send(2)
    log.expect([
      "subject", "downstream: subscription Multicast", "upstream: subscribe",
      "upstream: request unlimited", "downstream: value 1", "upstream: cancel",
    ])
  }

  @Test func theFirstSubjectStaysIfItIsMadeWhileAnotherIsBeingMade() {
    let nested = History<Int, Never>()
    var subscribe: (() -> Void)?
    let multicast = source.multicast { () -> PassthroughSubject<Int, Never> in
      let first = subscribe
      subscribe = nil
      first?()
      return PassthroughSubject()
    }
    subscribe = { multicast.subscribe(nested) }
    let history = multicast.history()
    let connection = multicast.connect()
    source.send(1)
    expectEqual(nested.values, [1])
    expectEqual(history.values, [1])
    connection.cancel()
  }

  @Test func eachConnectSubscribesAgain() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history()
    let connections = [multicast.connect(), multicast.connect()]
    source.send(1, to: 0)
    source.send(2, to: 1)
    connections[0].cancel()
    source.send(3, to: 1)
    expectEqual(history.values, [1, 2, 3])
    expectEqual(
      source.subscriptions.map(\.calls), [[.request(.unlimited), .cancel], [.request(.unlimited)]])
  }

  @Test func releasingTheConnectionCancelsIt() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history()
    _ = multicast.connect()
    expectEqual(history.values, [])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func requestsOnlyWhenASubscriberDoes() {
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history(demand: .none)
    let connection = multicast.connect()
    expectEqual(source.calls, [])
    history.request(1)
    expectEqual(source.calls, [.request(.unlimited)])
    connection.cancel()
  }

  @Test func returnedDemandIsReturnedToTheSubject() {
    let subject = ScriptedSubject<Int, Never>(log: log)
    let history = ScriptedPublisher<Int, Never>().multicast(subject: subject)
      .history(demand: .max(1), perValue: .max(2))
    expectEqual(subject.source.send(1), .max(2))
    log.expect(["subject: subscribe", "subject: request max(1)"])
    history.cancel()
  }

  /// A request would bring the value.
  @Test func returnedDemandBringsNoValueThatWasMissed() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let history = ScriptedPublisher<Int, Never>().multicast(subject: subject).history(
      demand: .max(1), perValue: .max(1)
    ) { _, value in
      if value == 0 { subject.send(1) }
    }
    expectEqual(history.values, [0])
    history.request(1)
    expectEqual(history.values, [0, 1])
  }

  @Test func aCancelledSubscriberGetsNothingMore() {
    let multicast = source.multicast(subject: CurrentValueSubject(0))
    let first = multicast.history()
    let second = multicast.history()
    let connection = multicast.connect()
    first.cancel()
    source.send(1)
    expectEqual(first.values, [0])
    expectEqual(second.values, [0, 1])
    connection.cancel()
  }

  @Test func aCancelledSubscriberGetsNothingMoreFromASubjectThatGoesOn() {
    let subject = ScriptedSubject<Int, Never>(log: CallLog())
    let history = ScriptedPublisher<Int, Never>().multicast(subject: subject).history()
    subject.send(1)
    history.cancel()
    subject.send(2)
    subject.send(completion: .finished)
    expectEqual(history.text, "Multicast: 1")
  }
}
