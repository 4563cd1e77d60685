import Streams
import TestSupport
import Testing

struct CombineLatestTests {
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

  @Test func publishesTheLatestOfBothAfterEachValueOnceBothHaveOne() {
    let history = a.combineLatest(b).history()
    a.send(1)
    a.send(2)
    expectEqual(history.text, "CombineLatest:")
    b.send("x")
    b.send("y")
    a.send(3)
    expectEqual(history.text, #"CombineLatest: (2, "x") (2, "y") (3, "y")"#)
  }

  @Test func sendsItsSubscriptionBeforeItSubscribesAndRequestsFromAll() {
    a.combineLatest(b).subscribe(History(demand: .max(2), log: log))
    log.expect([
      "downstream: subscription CombineLatest", "a: subscribe", "a: request max(2)", "b: subscribe",
      "b: request max(2)",
    ])
  }

  @Test func aPublisherThatAttachesLateGetsTheWholeDemandAtOnce() {
    let late = Texts(sendsSubscription: false, name: "late", log: log)
    let history = a.combineLatest(late).history(demand: .max(2))
    history.request(3)
    expectEqual(late.sendSubscription().calls, [.request(.max(5))])
    expectEqual(a.calls, [.request(.max(2)), .request(.max(3))])
    let idle = Texts(sendsSubscription: false)
    _ = a.combineLatest(idle).history(demand: .none)
    expectEqual(idle.sendSubscription().calls, [])
  }

  @Test func withoutDemandTheLatestIsReplacedAndWaitsForTheNextValue() {
    let history = a.combineLatest(b).history(demand: .max(1))
    a.send(1)
    b.send("x")
    expectEqual(a.send(2), .none)
    expectEqual(b.send("y"), .none)
    history.request(1)
    expectEqual(history.text, #"CombineLatest: (1, "x")"#)
    a.send(3)
    a.send(4)
    expectEqual(history.text, #"CombineLatest: (1, "x") (3, "y")"#)
  }

  @Test func returnedDemandGoesToThePublisherThatSentTheValue() {
    a.combineLatest(b).subscribe(History(demand: .max(1), perValue: .max(3), log: log))
    log.removeAll()
    expectEqual(a.send(1), .none)
    expectEqual(b.send("x"), .max(3))
    expectEqual(a.send(2), .max(3))
    log.expect([#"downstream: value (1, "x")"#, #"downstream: value (2, "x")"#])
  }

  @Test func aRequestFromWithinADeliveryGoesToAllAtOnce() {
    a.combineLatest(b).history(demand: .max(1), log: log) { history, _ in history.request(2) }
    a.send(1)
    log.removeAll()
    expectEqual(b.send("x"), .none)
    log.expect([#"downstream: value (1, "x")"#, "a: request max(2)", "b: request max(2)"])
  }

  @Test func aValueSentFromWithinADeliveryIsPublishedWithTheNextValue() {
    let history = a.combineLatest(b).history { [a] _, pair in
      if pair.0 == 1 { expectEqual(a.send(2), .none) }
    }
    a.send(1)
    b.send("x")
    b.send("y")
    expectEqual(history.text, #"CombineLatest: (1, "x") (2, "y")"#)
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      Just(1).combineLatest(Just(2)).history(demand: .none).request(.none)
    }
  }

  // MARK: Completion

  @Test func finishesWhenAllHaveFinished() {
    a.combineLatest(b).subscribe(History(log: log))
    a.send(1)
    a.finish()
    a.finish()
    b.send("x")
    log.removeAll()
    b.send("y")
    b.finish()
    log.expect([#"downstream: value (1, "y")"#, "downstream: finished"])
  }

  @Test func finishesWithTheLastEvenIfOneNeverHadAValue() {
    let history = a.combineLatest(b).history()
    a.finish()
    b.send("x")
    #expect(history.completion == nil)
    b.finish()
    expectEqual(history.text, "CombineLatest: |")
    let empty = Empty<Int, Never>().combineLatest(Just(1))
    expectEqual(empty.history().text, "CombineLatest: |")
  }

  @Test func aValueAfterTheEndOfItsPublisherIsDropped() {
    let history = a.combineLatest(b).history()
    a.send(1)
    a.finish()
    a.send(2)
    b.send("x")
    expectEqual(history.text, #"CombineLatest: (1, "x")"#)
  }

  @Test func aCompletionFromWithinADeliveryArrivesAfterIt() {
    for fails in [true, false] {
      let log = CallLog()
      let (a, b) = (Source(name: "a", log: log), Texts(name: "b", log: log))
      a.combineLatest(b).history(log: log) { _, _ in
        if fails { a.fail("no more") } else { a.finish() }
        if !fails { b.finish() }
        log.append("still in the first")
      }
      a.send(1)
      log.removeAll()
      b.send("x")
      log.expect(
        [#"downstream: value (1, "x")"#, "still in the first"]
          + (fails ? ["b: cancel", "downstream: failure no more"] : ["downstream: finished"]))
    }
  }

  /// A subject delivers the value to all of its subscribers within that delivery.
  @Test(arguments: [false, true])
  func anEndFromWithinADeliveryComesAfterTheValueForAllSubscribers(fails: Bool) {
    let shared = a.combineLatest(b) { "\($0)\($1)" }.multicast(subject: PassthroughSubject())
    let histories = ["first", "second"].map { History<String, TestError>(name: $0, log: log) }
    histories[0].onValue = { [a, b] _ in
      if fails { a.fail("no more") } else { a.finish() }
      b.finish()
      return .none
    }
    for history in histories { shared.subscribe(history) }
    let connection = shared.connect()
    a.send(1)
    log.removeAll()
    b.send("x")
    let end = fails ? "failure no more" : "finished"
    log.expect(["first: value 1x", "second: value 1x", "first: \(end)", "second: \(end)"])
    connection.cancel()
  }

  // MARK: Threads

  @Test func pairsOfTwoThreadsArePublishedOneAtATimeAndNeverGoBack() {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let history = a.combineLatest(b).history()
    onThreads(2) { index in
      let subject = index == 0 ? a : b
      for value in 0..<1_000 { subject.send(value) }
      subject.send(completion: .finished)
    }
    let pairs = history.values
    #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $1.0 + $1.1 == $0.0 + $0.1 + 1 })
    expectEqual(pairs.last.map { [$0.0, $0.1] }, [999, 999])
    expectEqual(history.lines.last, "finished")
  }

  @Test func aFailureIsNotMistakenForAFinishOnAnotherThread() {
    for _ in 0..<1_000 {
      let (a, b) = (Source(), Source())
      let history = a.combineLatest(b).history()
      onThreads(2) { index in
        if index == 0 { a.fail("no more") } else { b.finish() }
      }
      expectEqual(history.text, "CombineLatest: x(no more)")
    }
  }

  // MARK: More publishers

  @Test func threeAndFourAreCombined() {
    let c = ScriptedPublisher<Bool, TestError>()
    let d = Source()
    let three = a.combineLatest(b, c).history()
    a.send(1)
    c.send(true)
    b.send("x")
    c.send(false)
    expectEqual(three.text, #"CombineLatest: (1, "x", true) (1, "x", false)"#)
    let four = a.combineLatest(b, c, d).history()
    a.send(1)
    b.send("x")
    c.send(true)
    expectEqual(four.text, "CombineLatest:")
    d.send(2)
    a.send(3)
    expectEqual(four.lines.dropFirst(), [#"value (1, "x", true, 2)"#, #"value (3, "x", true, 2)"#])
    for end in [{ a.finish() }, { b.finish() }, { c.finish() }, { d.finish() }] {
      #expect(four.completion == nil)
      end()
    }
    expectEqual(four.lines.last, "finished")
  }

  @Test func aClosureCombinesTheValues() {
    let numbers = [1, 2].publisher
    let two: Publishers.Map = numbers.combineLatest(numbers) { "\($0)\($1)" }
    let three: Publishers.Map = numbers.combineLatest(numbers, numbers) { "\($0)\($1)\($2)" }
    let four: Publishers.Map = numbers.combineLatest(numbers, numbers, numbers) {
      "\($0)\($1)\($2)\($3)"
    }
    expectEqual(two.history().values, ["21", "22"])
    expectEqual(three.history().values, ["221", "222"])
    expectEqual(four.history().values, ["2221", "2222"])
  }
}
