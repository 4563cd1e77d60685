import Streams
import TestSupport
import Testing

@Suite struct MulticastTests {
  @Test func makesItsSubjectOnceAndOnlyWhenNeeded() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    let multicast = source.multicast { () -> PassthroughSubject<Int, Never> in
      log.append("subject")
      return PassthroughSubject()
    }
    #expect(log.lines == [])
    let history = History<Int, Never>(log: log)
    multicast.subscribe(history)
    let connection = multicast.connect()
    source.send(1)
    connection.cancel()
    source.send(2)
    #expect(
      log.lines == [
        "subject", "downstream: subscription Multicast", "upstream: subscribe",
        "upstream: request unlimited", "downstream: value 1", "upstream: cancel",
      ])
  }

  @Test func theFirstSubjectStaysIfItIsMadeWhileAnotherIsBeingMade() {
    let source = ScriptedPublisher<Int, Never>()
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
    #expect(nested.values == [1])
    #expect(history.values == [1])
    connection.cancel()
  }

  @Test func eachConnectSubscribesAgain() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history()
    let connections = [multicast.connect(), multicast.connect()]
    source.send(1, to: 0)
    source.send(2, to: 1)
    connections[0].cancel()
    source.send(3, to: 1)
    #expect(history.values == [1, 2, 3])
    #expect(
      source.subscriptions.map(\.calls) == [
        [.request(.unlimited), .cancel], [.request(.unlimited)],
      ])
  }

  @Test func releasingTheConnectionCancelsIt() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history()
    _ = multicast.connect()
    #expect(history.values == [])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func requestsOnlyWhenASubscriberDoes() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history(demand: .none)
    let connection = multicast.connect()
    #expect(source.calls == [])
    history.request(1)
    #expect(source.calls == [.request(.unlimited)])
    connection.cancel()
  }

  @Test func returnedDemandIsReturnedToTheSubject() {
    let log = CallLog()
    let subject = ScriptedSubject<Int, Never>(log: log)
    let history = ScriptedPublisher<Int, Never>().multicast(subject: subject)
      .history(demand: .max(1), perValue: .max(2))
    #expect(subject.source.send(1) == .max(2))
    #expect(log.lines == ["subject: subscribe", "subject: request max(1)"])
    history.cancel()
  }

  /// A request would bring the value.
  @Test func returnedDemandBringsNoValueThatWasMissed() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let history = History<Int, Never>(demand: .max(1))
    history.onValue = { value in
      if value == 0 { subject.send(1) }
      return .max(1)
    }
    ScriptedPublisher<Int, Never>().multicast(subject: subject).subscribe(history)
    #expect(history.values == [0])
    history.request(1)
    #expect(history.values == [0, 1])
    history.onValue = nil
  }

  @Test func aCancelledSubscriberGetsNothingMore() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: CurrentValueSubject(0))
    let first = multicast.history()
    let second = multicast.history()
    let connection = multicast.connect()
    first.cancel()
    source.send(1)
    #expect(first.values == [0])
    #expect(second.values == [0, 1])
    connection.cancel()
  }

  @Test func aCancelledSubscriberGetsNothingMoreFromASubjectThatGoesOn() {
    let subject = ScriptedSubject<Int, Never>(log: CallLog())
    let history = ScriptedPublisher<Int, Never>().multicast(subject: subject).history()
    subject.send(1)
    history.cancel()
    subject.send(2)
    subject.send(completion: .finished)
    #expect(history.events == [.subscription("Multicast"), .value(1)])
  }
}
