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
    #expect(history.lines == ["subscription CombineLatest"])
    b.send("x")
    b.send("y")
    a.send(3)
    #expect(
      history.lines == [
        "subscription CombineLatest", #"value (2, "x")"#, #"value (2, "y")"#, #"value (3, "y")"#,
      ])
  }

  @Test func sendsItsSubscriptionBeforeItSubscribesAndRequestsFromAll() {
    a.combineLatest(b).subscribe(History(demand: .max(2), log: log))
    #expect(
      log.lines == [
        "downstream: subscription CombineLatest", "a: subscribe", "a: request max(2)",
        "b: subscribe", "b: request max(2)",
      ])
    log.removeAll()
  }

  @Test func aPublisherThatAttachesLateGetsTheWholeDemandAtOnce() {
    let late = Texts(sendsSubscription: false, name: "late", log: log)
    let history = a.combineLatest(late).history(demand: .max(2))
    history.request(3)
    #expect(late.sendSubscription().calls == [.request(.max(5))])
    #expect(a.calls == [.request(.max(2)), .request(.max(3))])
    let idle = Texts(sendsSubscription: false)
    _ = a.combineLatest(idle).history(demand: .none)
    #expect(idle.sendSubscription().calls == [])
  }

  @Test func withoutDemandTheLatestIsReplacedAndWaitsForTheNextValue() {
    let history = a.combineLatest(b).history(demand: .max(1))
    a.send(1)
    b.send("x")
    #expect(a.send(2) == .none)
    #expect(b.send("y") == .none)
    #expect(history.lines.dropFirst() == [#"value (1, "x")"#])
    history.request(1)
    #expect(history.lines.dropFirst() == [#"value (1, "x")"#])
    a.send(3)
    a.send(4)
    #expect(history.lines.dropFirst() == [#"value (1, "x")"#, #"value (3, "y")"#])
  }

  @Test func returnedDemandGoesToThePublisherThatSentTheValue() {
    a.combineLatest(b).subscribe(History(demand: .max(1), perValue: .max(3), log: log))
    log.removeAll()
    #expect(a.send(1) == .none)
    #expect(b.send("x") == .max(3))
    #expect(a.send(2) == .max(3))
    #expect(log.lines == [#"downstream: value (1, "x")"#, #"downstream: value (2, "x")"#])
  }

  @Test func aRequestFromWithinADeliveryGoesToAllAtOnce() {
    let history = History<(Int, String), TestError>(demand: .max(1), log: log)
    history.onValue = { [unowned history] _ in
      history.request(2)
      return .none
    }
    a.combineLatest(b).subscribe(history)
    a.send(1)
    log.removeAll()
    #expect(b.send("x") == .none)
    #expect(
      log.lines == [#"downstream: value (1, "x")"#, "a: request max(2)", "b: request max(2)"])
  }

  @Test func aValueSentFromWithinADeliveryIsPublishedWithTheNextValue() {
    let history = History<(Int, String), TestError>()
    history.onValue = { [a] pair in
      if pair.0 == 1 { #expect(a.send(2) == .none) }
      return .none
    }
    a.combineLatest(b).subscribe(history)
    a.send(1)
    b.send("x")
    b.send("y")
    #expect(
      history.lines
        == ["subscription CombineLatest", #"value (1, "x")"#, #"value (2, "y")"#])
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
    #expect(log.lines == [#"downstream: value (1, "y")"#, "downstream: finished"])
  }

  @Test func finishesWithTheLastEvenIfOneNeverHadAValue() {
    let history = a.combineLatest(b).history()
    a.finish()
    b.send("x")
    #expect(history.completion == nil)
    b.finish()
    #expect(history.lines == ["subscription CombineLatest", "finished"])
    #expect(
      Empty<Int, Never>().combineLatest(Just(1)).history().lines
        == ["subscription CombineLatest", "finished"])
  }

  @Test func aValueAfterTheEndOfItsPublisherIsDropped() {
    let history = a.combineLatest(b).history()
    a.send(1)
    a.finish()
    a.send(2)
    b.send("x")
    #expect(history.lines == ["subscription CombineLatest", #"value (1, "x")"#])
  }

  @Test(arguments: [false, true])
  func aCancellationWhileAnotherIsCancelledPreventsTheFailure(_ isInADelivery: Bool) {
    let history = a.combineLatest(b).history()
    a.onCancel = { history.cancel() }
    if isInADelivery {
      history.onValue = { [b] _ in
        b.fail("no more")
        return .none
      }
      b.send("x")
      a.send(1)
    } else {
      b.fail("no more")
    }
    let values = isInADelivery ? [#"value (1, "x")"#] : []
    #expect(history.lines == ["subscription CombineLatest"] + values)
    #expect(a.calls == [.request(.unlimited), .cancel])
    a.onCancel = nil
    history.onValue = nil
  }

  @Test func aCompletionFromWithinADeliveryArrivesAfterIt() {
    for fails in [true, false] {
      let log = CallLog()
      let (a, b) = (Source(name: "a", log: log), Texts(name: "b", log: log))
      let history = History<(Int, String), TestError>(log: log)
      history.onValue = { _ in
        if fails { a.fail("no more") } else { a.finish() }
        if !fails { b.finish() }
        log.append("still in the first")
        return .none
      }
      a.combineLatest(b).subscribe(history)
      a.send(1)
      log.removeAll()
      b.send("x")
      #expect(
        log.lines
          == [#"downstream: value (1, "x")"#, "still in the first"]
          + (fails ? ["b: cancel", "downstream: failure no more"] : ["downstream: finished"]))
      history.onValue = nil
    }
  }

  /// A subject delivers the value to all of its subscribers within that delivery.
  @Test(arguments: [false, true])
  func anEndFromWithinADeliveryComesAfterTheValueForAllSubscribers(fails: Bool) {
    let shared = a.combineLatest(b) { "\($0)\($1)" }.multicast(subject: PassthroughSubject())
    let log = CallLog()
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
    #expect(
      log.lines == ["first: value 1x", "second: value 1x", "first: \(end)", "second: \(end)"])
    connection.cancel()
    histories[0].onValue = nil
  }

  @Test func aSubscriptionAfterTheEndOfItsPublisherOrACancellationIsCancelled() {
    let history = a.combineLatest(b).history()
    a.send(1)
    a.finish()
    #expect(a.sendSubscription().calls == [.cancel])
    history.cancel()
    #expect(b.sendSubscription().calls == [.cancel])
    #expect(history.lines == ["subscription CombineLatest"])
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
    #expect(pairs.last.map { [$0.0, $0.1] } == [999, 999])
    #expect(history.lines.last == "finished")
  }

  @Test func aFailureIsNotMistakenForAFinishOnAnotherThread() {
    for _ in 0..<1_000 {
      let (a, b) = (Source(), Source())
      let history = a.combineLatest(b).history()
      onThreads(2) { index in
        if index == 0 { a.fail("no more") } else { b.finish() }
      }
      #expect(history.lines == ["subscription CombineLatest", "failure no more"])
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
    #expect(
      three.lines == [
        "subscription CombineLatest", #"value (1, "x", true)"#, #"value (1, "x", false)"#,
      ])
    let four = a.combineLatest(b, c, d).history()
    a.send(1)
    b.send("x")
    c.send(true)
    #expect(four.lines == ["subscription CombineLatest"])
    d.send(2)
    a.send(3)
    #expect(
      four.lines.dropFirst() == [#"value (1, "x", true, 2)"#, #"value (3, "x", true, 2)"#])
    for end in [{ a.finish() }, { b.finish() }, { c.finish() }, { d.finish() }] {
      #expect(four.completion == nil)
      end()
    }
    #expect(four.lines.last == "finished")
  }

  @Test func publishersOfTheSamePublishersAreEqual() {
    let (x, y) = ([1].publisher, ["a"].publisher)
    #expect(x.combineLatest(y) == Publishers.CombineLatest(x, y))
    #expect(x.combineLatest(y, x) == Publishers.CombineLatest3(x, y, x))
    #expect(x.combineLatest(y, x, y) == Publishers.CombineLatest4(x, y, x, y))
    #expect(x.combineLatest(y) != Publishers.CombineLatest(x, ["b"].publisher))
  }

  @Test func aClosureCombinesTheValues() {
    let numbers = [1, 2].publisher
    let two: Publishers.Map = numbers.combineLatest(numbers) { "\($0)\($1)" }
    let three: Publishers.Map = numbers.combineLatest(numbers, numbers) { "\($0)\($1)\($2)" }
    let four: Publishers.Map = numbers.combineLatest(numbers, numbers, numbers) {
      "\($0)\($1)\($2)\($3)"
    }
    #expect(two.history().values == ["21", "22"])
    #expect(three.history().values == ["221", "222"])
    #expect(four.history().values == ["2221", "2222"])
  }
}
