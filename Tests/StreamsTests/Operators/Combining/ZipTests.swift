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
    expectEqual(history.text, "Zip:")
    b.send("x")
    b.send("y")
    b.send("z")
    a.send(3)
    expectEqual(history.text, #"Zip: (1, "x") (2, "y") (3, "z")"#)
  }

  @Test func sendsItsSubscriptionOnceAllAreAttached() {
    let late = Texts(sendsSubscription: false, name: "late", log: log)
    a.zip(late).subscribe(History(demand: .max(2), log: log))
    log.expect(["a: subscribe", "late: subscribe"])
    late.sendSubscription()
    expectEqual(
      log.lines.dropFirst(2),
      ["downstream: subscription Zip", "a: request max(2)", "late: request max(2)"])
  }

  @Test func publishesACompletePairEvenWithoutDemand() {
    let history = a.zip(b).history(demand: .max(1))
    for value in 1...2 { expectEqual(a.send(value), .none) }
    for value in ["x", "y"] { expectEqual(b.send(value), .none) }
    expectEqual(history.text, #"Zip: (1, "x") (2, "y")"#)
  }

  @Test func demandGoesToThePublisherThatCompletedThePairAndIsRequestedFromTheOther() {
    a.zip(b).history(demand: .max(1), perValue: .max(3), log: log) { history, _ in
      history.request(2)
    }
    expectEqual(b.send("x"), .none)
    log.removeAll()
    expectEqual(a.send(1), .max(5))
    log.expect([#"downstream: value (1, "x")"#, "b: request max(5)"])
  }

  @Test func aRequestFromWithinADeliveryIsPassedOnOnce() {
    a.zip(b).history(demand: .max(1)) { history, pair in if pair.0 == 1 { history.request(2) } }
    b.send("x")
    expectEqual(a.send(1), .max(2))
    b.send("y")
    expectEqual(a.send(2), .none)
    expectEqual(b.calls, [.request(.max(1)), .request(.max(2))])
  }

  @Test func aRequestBetweenDeliveriesGoesToAllAtOnce() {
    let history = a.zip(b).history(demand: .none)
    log.removeAll()
    history.request(2)
    log.expect(["a: request max(2)", "b: request max(2)"])
  }

  @Test func aSignalSentFromWithinADeliveryWaitsForItsEnd() {
    a.zip(b).history(log: log) { [a, b, log] _, pair in
      if pair.0 == 1 {
        a.send(2)
        b.send("y")
        log.append("still in the first")
      }
    }
    log.removeAll()
    a.send(1)
    b.send("x")
    log.expect([
      #"downstream: value (1, "x")"#, "still in the first", #"downstream: value (2, "y")"#,
    ])
  }

  @Test func demandReturnedForSeveralPairsAtOnceAddsUp() {
    a.zip(b).history(demand: .max(2), perValue: .max(2), log: log) { [b] _, pair in
      if pair.0 == 1 { expectEqual(b.send("y"), .none) }
    }
    for value in 1...2 { a.send(value) }
    log.removeAll()
    expectEqual(b.send("x"), .max(4))
    log.expect([
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
    log.expect([#"downstream: value (1, "x")"#, "downstream: finished", "b: cancel"])
  }

  @Test func aPublisherThatFinishesFromWithinADeliveryEndsAfterIt() {
    a.zip(b).history(log: log) { [a, log] _, _ in
      a.finish()
      log.append("still in the first")
    }
    log.removeAll()
    a.send(1)
    b.send("x")
    log.expect([
      #"downstream: value (1, "x")"#, "still in the first", "downstream: finished", "b: cancel",
    ])
  }

  @Test func aFailureFromWithinADeliveryArrivesAfterItAndDropsWaitingValues() {
    a.zip(b).history(perValue: .max(1), log: log) { [a, log] _, _ in
      a.fail("no more")
      log.append("still in the first")
    }
    a.send(1)
    a.send(2)
    log.removeAll()
    expectEqual(b.send("x"), .none)
    expectEqual(b.send("y"), .none)
    log.expect([
      #"downstream: value (1, "x")"#, "still in the first", "downstream: failure no more",
      "b: cancel",
    ])
  }

  @Test func anEndBeforeAllAreAttachedWaitsForTheSubscription() {
    let empty = Empty<Int, TestError>()
    empty.zip(b).subscribe(History(demand: .none, log: log))
    log.expect([
      "b: subscribe", "downstream: subscription Zip", "downstream: finished", "b: cancel",
    ])
    log.removeAll()
    Fail<Int, TestError>(error: "no more").zip(b).subscribe(History(demand: .none, log: log))
    log.expect([
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
    expectEqual(history.text, #"Zip: (1, "x") |"#)
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
    expectEqual(
      history.lines,
      ["subscription Zip"] + (0..<1_000).map { "value (\($0), \($0))" } + ["finished"])
  }

  @Test(arguments: End.allCases)
  func aCompletionOnAnotherThreadNeverArrivesBeforeTheSubscription(_ end: End) {
    for _ in 0..<1_000 {
      let a = Source()
      let late = Source(sendsSubscription: false)
      let history = a.zip(late).history()
      onThreads(2) { index in
        if index == 0 { _ = late.sendSubscription() } else { a.send(completion: end.completion) }
      }
      expectEqual(
        history.lines,
        ["subscription Zip", end == .finish ? "finished" : "failure no more"])
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
    // The demand returned for a value went to one of the two as the return value.
    for source in [a, b] { #expect(source.requestedCount <= 1_000) }
    expectEqual(history.values.count, 1_000)
  }

  // MARK: More publishers

  @Test func threeAndFourAreZipped() {
    let (x, y, z) = ([1, 2].publisher, ["a", "b"].publisher, [true, false].publisher)
    expectEqual(x.zip(y, z).history().text, #"Zip: (1, "a", true) (2, "b", false) |"#)
    expectEqual(x.zip(y, z, x).history().text, #"Zip: (1, "a", true, 1) (2, "b", false, 2) |"#)
    expectEqual(Publishers.Zip3(x, y, z), x.zip(y, z))
    expectEqual(Publishers.Zip4(x, y, z, x), x.zip(y, z, x))
  }

  @Test func returnedDemandIsRequestedFromTheOtherThreeOfFour() {
    let sources = ["a", "b", "c", "d"].map { Source(name: $0, log: log) }
    sources[0].zip(sources[1], sources[2], sources[3])
      .subscribe(History(demand: .max(1), perValue: .max(2), log: log))
    for index in [0, 1, 3] { sources[index].send(index) }
    log.removeAll()
    expectEqual(sources[2].send(2), .max(2))
    log.expect([
      "downstream: value (0, 1, 2, 3)", "a: request max(2)", "b: request max(2)",
      "d: request max(2)",
    ])
  }

  @Test func aClosureCombinesTheValues() {
    let numbers = [1, 2].publisher
    let two: Publishers.Map = numbers.zip(numbers) { $0 + $1 }
    let three: Publishers.Map = numbers.zip(numbers, numbers) { $0 + $1 + $2 }
    let four: Publishers.Map = numbers.zip(numbers, numbers, numbers) { $0 + $1 + $2 + $3 }
    expectEqual(two.history().values, [2, 4])
    expectEqual(three.history().values, [3, 6])
    expectEqual(four.history().values, [4, 8])
  }
}
