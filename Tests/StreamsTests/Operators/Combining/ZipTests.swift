import Streams
import TestSupport
import Testing

struct ZipTests {
  private typealias Source = ScriptedPublisher<Int, TestError>
  private typealias Texts = ScriptedPublisher<String, TestError>

  private let log = CallLog()
  private let a: Source
  private let b: Texts

  init() {
    a = Source(name: "a", log: log)
    b = Texts(name: "b", log: log)
  }

  // MARK: Values and demand

  @Test func publishesTheFirstOfBothTheSecondOfBothAndSoOn() {
    let history = a.zip(b).history()
    a.send(1)
    a.send(2)
    #expect(history.lines == ["subscription Zip"])
    b.send("x")
    b.send("y")
    b.send("z")
    a.send(3)
    #expect(
      history.lines
        == ["subscription Zip", #"value (1, "x")"#, #"value (2, "y")"#, #"value (3, "z")"#])
  }

  @Test func sendsItsSubscriptionOnceAllAreAttached() {
    let late = Texts(sendsSubscription: false, name: "late", log: log)
    a.zip(late).subscribe(History(demand: .max(2), log: log))
    #expect(log.lines == ["a: subscribe", "late: subscribe"])
    late.sendSubscription()
    #expect(
      log.lines.dropFirst(2)
        == ["downstream: subscription Zip", "a: request max(2)", "late: request max(2)"])
  }

  @Test func publishesACompletePairEvenWithoutDemand() {
    let history = a.zip(b).history(demand: .max(1))
    for value in 1...2 { #expect(a.send(value) == .none) }
    for value in ["x", "y"] { #expect(b.send(value) == .none) }
    #expect(
      history.lines == ["subscription Zip", #"value (1, "x")"#, #"value (2, "y")"#])
  }

  @Test func returnedDemandGoesToThePublisherThatCompletedThePairAndIsRequestedFromTheOther() {
    a.zip(b).subscribe(History(demand: .max(1), perValue: .max(3), log: log))
    log.removeAll()
    #expect(a.send(1) == .none)
    #expect(b.send("x") == .max(3))
    #expect(log.lines == [#"downstream: value (1, "x")"#, "a: request max(3)"])
  }

  @Test func aRequestFromWithinADeliveryAddsToTheReturnedDemand() {
    let history = History<(Int, String), TestError>(demand: .max(1), log: log)
    history.onValue = { [unowned history] _ in
      history.request(2)
      return .max(3)
    }
    a.zip(b).subscribe(history)
    b.send("x")
    log.removeAll()
    #expect(a.send(1) == .max(5))
    #expect(log.lines == [#"downstream: value (1, "x")"#, "b: request max(5)"])
  }

  @Test func aRequestFromWithinADeliveryIsPassedOnOnce() {
    let history = History<(Int, String), TestError>(demand: .max(1))
    history.onValue = { [unowned history] pair in
      if pair.0 == 1 { history.request(2) }
      return .none
    }
    a.zip(b).subscribe(history)
    b.send("x")
    #expect(a.send(1) == .max(2))
    b.send("y")
    #expect(a.send(2) == .none)
    #expect(b.calls == [.request(.max(1)), .request(.max(2))])
  }

  @Test func aRequestBetweenDeliveriesGoesToAllAtOnce() {
    let history = a.zip(b).history(demand: .none)
    log.removeAll()
    history.request(2)
    #expect(log.lines == ["a: request max(2)", "b: request max(2)"])
  }

  @Test func aSignalSentFromWithinADeliveryWaitsForItsEnd() {
    let history = History<(Int, String), TestError>(log: log)
    history.onValue = { [a, b, log] pair in
      if pair.0 == 1 {
        a.send(2)
        b.send("y")
        log.append("still in the first")
      }
      return .none
    }
    a.zip(b).subscribe(history)
    log.removeAll()
    a.send(1)
    b.send("x")
    #expect(
      log.lines == [
        #"downstream: value (1, "x")"#, "still in the first", #"downstream: value (2, "y")"#,
      ])
  }

  @Test func demandReturnedForSeveralPairsAtOnceAddsUp() {
    let history = History<(Int, String), TestError>(demand: .max(2), perValue: .max(2), log: log)
    history.onValue = { [b] pair in
      if pair.0 == 1 { #expect(b.send("y") == .none) }
      return .none
    }
    a.zip(b).subscribe(history)
    for value in 1...2 { a.send(value) }
    log.removeAll()
    #expect(b.send("x") == .max(4))
    #expect(
      log.lines == [
        #"downstream: value (1, "x")"#, "a: request max(2)", #"downstream: value (2, "y")"#,
        "a: request max(2)",
      ])
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      Just(1).zip(Just(2)).history(demand: .none).request(.none)
    }
  }

  // MARK: Completion

  @Test func finishesAsSoonAsThereCannotBeAnotherPair() {
    a.zip(b).subscribe(History(log: log))
    a.send(1)
    a.finish()
    #expect(!log.lines.contains("downstream: finished"))
    log.removeAll()
    b.send("x")
    b.send("y")
    b.finish()
    #expect(log.lines == [#"downstream: value (1, "x")"#, "downstream: finished", "b: cancel"])
  }

  @Test func aPublisherThatFinishesFromWithinADeliveryEndsAfterIt() {
    let history = History<(Int, String), TestError>(log: log)
    history.onValue = { [a, log] _ in
      a.finish()
      log.append("still in the first")
      return .none
    }
    a.zip(b).subscribe(history)
    log.removeAll()
    a.send(1)
    b.send("x")
    #expect(
      log.lines == [
        #"downstream: value (1, "x")"#, "still in the first", "downstream: finished", "b: cancel",
      ])
  }

  @Test func aFailureFromWithinADeliveryArrivesAfterItAndDropsWaitingValues() {
    let history = History<(Int, String), TestError>(perValue: .max(1), log: log)
    history.onValue = { [a, log] _ in
      a.fail("no more")
      log.append("still in the first")
      return .none
    }
    a.zip(b).subscribe(history)
    a.send(1)
    a.send(2)
    log.removeAll()
    #expect(b.send("x") == .none)
    #expect(b.send("y") == .none)
    #expect(
      log.lines == [
        #"downstream: value (1, "x")"#, "still in the first", "downstream: failure no more",
        "b: cancel",
      ])
  }

  @Test func anEndBeforeAllAreAttachedWaitsForTheSubscription() {
    let empty = Empty<Int, TestError>()
    empty.zip(b).subscribe(History(demand: .none, log: log))
    #expect(
      log.lines
        == ["b: subscribe", "downstream: subscription Zip", "downstream: finished", "b: cancel"])
    log.removeAll()
    Fail<Int, TestError>(error: "no more").zip(b).subscribe(History(demand: .none, log: log))
    #expect(
      log.lines == [
        "b: subscribe", "downstream: subscription Zip", "downstream: failure no more", "b: cancel",
      ])
  }

  @Test func aValueAfterTheEndOfItsPublisherIsDropped() {
    let history = a.zip(b).history()
    a.send(1)
    a.finish()
    a.send(2)
    b.send("x")
    b.send("y")
    #expect(history.lines == ["subscription Zip", #"value (1, "x")"#, "finished"])
  }

  @Test func aCancellationFromWithinADeliveryIsTheLast() {
    let history = History<(Int, String), TestError>(perValue: .max(1), log: log)
    history.onValue = { [unowned history] _ in
      history.cancel()
      return .none
    }
    a.zip(b).subscribe(history)
    a.send(1)
    a.send(2)
    log.removeAll()
    #expect(b.send("x") == .none)
    b.send("y")
    #expect(log.lines == [#"downstream: value (1, "x")"#, "a: cancel", "b: cancel"])
  }

  @Test func aSubscriptionAfterTheEndOfItsPublisherOrACancellationIsCancelled() {
    let history = a.zip(b).history()
    a.send(1)
    a.finish()
    #expect(a.sendSubscription().calls == [.cancel])
    history.cancel()
    #expect(b.sendSubscription().calls == [.cancel])
    #expect(history.lines == ["subscription Zip"])
  }

  // MARK: Threads

  @Test func pairsOfTwoThreadsAreWholeAndInOrder() {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let history = a.zip(b).history()
    onThreads(2) { index in
      let subject = index == 0 ? a : b
      for value in 0..<1_000 { subject.send(value) }
      subject.send(completion: .finished)
    }
    #expect(
      history.lines
        == ["subscription Zip"] + (0..<1_000).map { "value (\($0), \($0))" } + ["finished"])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func aCompletionOnAnotherThreadNeverArrivesBeforeTheSubscription(
    completion: Subscribers.Completion<TestError>
  ) {
    for _ in 0..<1_000 {
      let a = Source()
      let late = Source(sendsSubscription: false)
      let history = a.zip(late).history()
      onThreads(2) { index in
        if index == 0 { _ = late.sendSubscription() } else { a.send(completion: completion) }
      }
      #expect(
        history.lines == [
          "subscription Zip", completion == .finished ? "finished" : "failure no more",
        ])
    }
  }

  @Test func requestsFromAnotherThreadAreNotLost() {
    let a = ScriptedPublisher<Int, Never>()
    let b = ScriptedPublisher<Int, Never>()
    let history = a.zip(b).history(demand: .none)
    onThreads(2) { index in
      for value in 0..<1_000 {
        if index == 0 {
          history.request(1)
        } else {
          a.send(value)
          b.send(value)
        }
      }
    }
    for source in [a, b] {
      let requested = source.calls.map { call in
        if case .request(let demand) = call { demand.max ?? 0 } else { 0 }
      }
      // The demand returned for a value went to one of the two as the return value.
      #expect(requested.reduce(0, +) <= 1_000)
    }
    #expect(history.values.count == 1_000)
  }

  // MARK: More publishers

  @Test func threeAndFourAreZipped() {
    let (x, y, z) = ([1, 2].publisher, ["a", "b"].publisher, [true, false].publisher)
    #expect(
      x.zip(y, z).history().lines == [
        "subscription Zip", #"value (1, "a", true)"#, #"value (2, "b", false)"#, "finished",
      ])
    #expect(
      x.zip(y, z, x).history().lines == [
        "subscription Zip", #"value (1, "a", true, 1)"#, #"value (2, "b", false, 2)"#, "finished",
      ])
    #expect(Publishers.Zip3(x, y, z) == x.zip(y, z))
    #expect(Publishers.Zip4(x, y, z, x) == x.zip(y, z, x))
  }

  @Test func returnedDemandIsRequestedFromTheOtherThreeOfFour() {
    let sources = ["a", "b", "c", "d"].map { Source(name: $0, log: log) }
    sources[0].zip(sources[1], sources[2], sources[3])
      .subscribe(History(demand: .max(1), perValue: .max(2), log: log))
    for index in [0, 1, 3] { sources[index].send(index) }
    log.removeAll()
    #expect(sources[2].send(2) == .max(2))
    #expect(
      log.lines == [
        "downstream: value (0, 1, 2, 3)", "a: request max(2)", "b: request max(2)",
        "d: request max(2)",
      ])
  }

  @Test func aClosureCombinesTheValues() {
    let numbers = [1, 2].publisher
    let two: Publishers.Map = numbers.zip(numbers) { $0 + $1 }
    let three: Publishers.Map = numbers.zip(numbers, numbers) { $0 + $1 + $2 }
    let four: Publishers.Map = numbers.zip(numbers, numbers, numbers) { $0 + $1 + $2 + $3 }
    #expect(two.history().values == [2, 4])
    #expect(three.history().values == [3, 6])
    #expect(four.history().values == [4, 8])
  }
}
