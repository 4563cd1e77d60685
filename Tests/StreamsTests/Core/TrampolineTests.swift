import Foundation
import Streams
import TestSupport
import Testing

/// Tests recursion through `flatMap` and `merge`, where each page's publisher ends with the next
/// page's publisher. The tests run on a thread with a small stack, in a separate process.
struct TrampolineTests {
  /// Pages that are there at once or come later, with demand for everything or for one at a time.
  @Test func manyPagesNeedAConstantStack() async {
    await #expect(processExitsWith: .success) {
      onASmallStack {
        let cases: [(comeLater: Bool, demand: Subscribers.Demand, failure: TestError?)] = [
          (false, .unlimited, nil), (true, .unlimited, nil), (false, .max(1), nil),
          (true, .unlimited, "no more"),
        ]
        for (comeLater, demand, failure) in cases {
          let pages = Pages(count: 600, comeLater: comeLater, failure: failure)
          let history = pages.first.history(demand: demand, perValue: demand)
          pages.load()
          expect(history.values == Array(0...600), "\(history.values.count) values")
          let end = failure.map { Subscribers.Completion.failure($0) } ?? .finished
          expect(history.completion == end, "\(String(describing: history.completion))")
        }
      }
    }
  }

  @Test func aCancellationReachesTheLastPage() async {
    await #expect(processExitsWith: .success) {
      onASmallStack {
        let pages = Pages(count: 600, comeLater: true)
        let history = pages.first.history()
        pages.load(upTo: 599)
        expect(history.values == Array(0..<599), "\(history.values.count) values")
        history.cancel()
        expect(pages.loads.last?.calls == [.request(.unlimited), .cancel], "not cancelled")
        pages.load()
        expect(history.completion == nil, "an end")
      }
    }
  }

  /// Each page subscribes to the next one at once, so the cancellation has to overtake that.
  @Test func aLimitEndsPagesWithoutEnd() async {
    await #expect(processExitsWith: .success) {
      onASmallStack {
        @Sendable func page(_ number: Int) -> AnyPublisher<Int, Never> {
          expect(number < 2000, "page \(number)")
          return Just(number).merge(with: Just(number).flatMap { page($0 + 1) })
            .eraseToAnyPublisher()
        }
        for limit in [3, 50, 500] {
          let history = page(0).prefix(limit).history()
          expect(history.values == Array(0..<limit), "\(history.values)")
          expect(history.completion == .finished, "no end")
        }
      }
    }
  }

  @Test func flatMapsAloneNeedAConstantStack() async {
    await #expect(processExitsWith: .success) {
      onASmallStack {
        @Sendable func count(from start: Int) -> AnyPublisher<Int, Never> {
          Just(start).flatMap {
            $0 == 20_000 ? Just($0).eraseToAnyPublisher() : count(from: $0 + 1)
          }.eraseToAnyPublisher()
        }
        let history = count(from: 0).history()
        expect(history.values == [20_000], "\(history.values)")
        expect(history.completion == .finished, "no end")
      }
    }
  }

  @Test func aChainOfHiddenPublishersIsReleasedWithAConstantStack() async {
    await #expect(processExitsWith: .success) {
      onASmallStack {
        let released = Locked(0)
        do {
          var chain = Just(0).eraseToAnyPublisher()
          for _ in 0..<50_000 {
            let token = Token { released.withLock { $0 += 1 } }
            chain = chain.filter { _ in
              token.touch()
              return true
            }.eraseToAnyPublisher()
          }
        }
        expect(released.withLock { $0 } == 50_000, "something is left")
      }
    }
  }

  @Test func twoThreadsMaySendThroughManyLevels() {
    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()
    var levels = first.merge(with: second).eraseToAnyPublisher()
    for _ in 0..<200 {
      let inner = levels
      levels = Just(0).flatMap { _ in inner }.eraseToAnyPublisher()
    }
    let history = levels.history()
    onThreads(2) { thread in
      let subject = thread == 0 ? first : second
      for value in 0..<500 { subject.send(thread == 0 ? value : -value - 1) }
      subject.send(completion: .finished)
    }
    expectEqual(history.values.filter { $0 >= 0 }, Array(0..<500))
    expectEqual(history.values.filter { $0 < 0 }, (0..<500).map { -$0 - 1 })
    expectEqual(history.events.count, 1_002)
    expectEqual(history.events.last, .finished)
  }

  @Test(arguments: [10, 63, 64, 130])
  func aStreamThatIsMadeInsideADeepOneDeliversAtOnce(depth: Int) {
    var totals: [Int] = []
    let history = History<Int, TestError>()
    history.onValue = { value in
      guard value == depth else { return .none }
      // Everything here happens inside one delivery.
      [1, 2].publisher.flatMap { [$0, $0].publisher }.reduce(0, +).sink { totals.append($0) }
        .cancel()
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      let both = first.merge(with: second).sink { totals.append($0) }
      first.send(7)
      second.send(8)
      both.cancel()
      return .none
    }
    Pages(count: depth).first.subscribe(history)
    expectEqual(totals, [6, 7, 8])
  }

  @Test func pagesThatAreSubscribedToOnASchedulerNeedAConstantStack() async {
    await #expect(processExitsWith: .success) {
      onASmallStack {
        let scheduler = ManualScheduler()
        @Sendable func page(_ number: Int) -> AnyPublisher<Int, Never> {
          return [number].publisher
            .flatMap {
              $0 == 2_000 ? Just($0).eraseToAnyPublisher() : page($0 + 1)
            }
            .subscribe(on: scheduler).eraseToAnyPublisher()
        }
        let history = page(0).history()
        scheduler.run()
        expect(history.values == [2_000], "\(history.values)")
        expect(history.completion == .finished, "no end")
      }
    }
  }

  // MARK: The level that uses the trampoline

  /// The first value is put off, because the trampoline is busy on this thread.
  @Test func valuesKeepTheirOrderOnSeveralThreads() {
    let (outer, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let history = nested(inner.flatMap { Just($0) }).history()
    let sink = nested(outer.flatMap { Just($0) }).sink { _ in
      inner.send(1)
      expectEqual(history.values, [])
      onAnotherThread { inner.send(2) }
      expectEqual(history.values, [1, 2])
      inner.send(completion: .finished)
    }
    outer.send(0)
    expectEqual(history.values, [1, 2])
    expectEqual(history.events.last, .finished)
    sink.cancel()
  }

  @Test func aCancellationDropsValuesThatWerePutOff() {
    let (outer, inner) = (PassthroughSubject<Int, Never>(), ScriptedPublisher<Int, Never>())
    let log = CallLog()
    let history = nested(
      inner.flatMap(maxPublishers: .max(1)) { Just($0) }.map { value in
        log.append("map \(value)")
        return value
      }
    ).history()
    let sink = nested(outer.flatMap { Just($0) }).sink { _ in
      inner.send(1)
      history.cancel()
    }
    outer.send(0)
    expectEqual(log.lines, [])
    expectEqual(history.values, [])
    expectEqual(inner.calls.first, .request(.max(1)))
    expectEqual(inner.calls.last, .cancel)
    sink.cancel()
  }

  @Test(arguments: 61...65) func upstreamsFailureFollowsTheValues(depth: Int) {
    let source = ScriptedPublisher<Int, TestError>()
    let outer = PassthroughSubject<Int, Never>()
    let history = nested(source.flatMap { [$0, -$0].publisher }, depth: depth).history()
    // Here the trampoline is busy.
    let sink = nested(outer.flatMap { Just($0) }).sink { _ in
      source.send(1)
      source.fail("no more")
    }
    outer.send(0)
    expectEqual(history.values, [1, -1])
    expectEqual(history.completion, .failure("no more"))
    sink.cancel()
  }

  @Test(arguments: 62...64) func subscriptionsHaveTheirOperatorsName(depth: Int) {
    let log = CallLog()
    let subject = PassthroughSubject<Int, Never>()
    let history = nested(
      subject.merge(with: Empty()).handleEvents(receiveSubscription: { log.append("\($0)") }),
      depth: depth
    ).history()
    expectEqual(log.lines, ["Merge"])
    history.cancel()
  }

  @Test(arguments: 62...64, [true, false])
  func theEndReleasesEverything(depth: Int, isCancelled: Bool) {
    let source = ScriptedPublisher<Int, Never>()
    let kept = Locked<(any Subscription)?>(nil)
    weak var released: Token?
    let history: History<Int, Never>
    do {
      let token = Token()
      released = token
      history = nested(
        source.flatMap { Just($0) }
          .handleEvents(receiveSubscription: { value in kept.withLock { $0 = value } })
          .map { value in
            token.touch()
            return value
          }, depth: depth
      ).history()
    }
    source.send(1)
    #expect(released != nil)
    if isCancelled { history.cancel() } else { source.finish() }
    history.releaseSubscription()
    expectEqual(history.values, [1])
    #expect(released == nil)
    kept.withLock { $0 = nil }
  }

  /// - Returns: The publisher's values, with that many levels of `flatMap` around it.
  private func nested<P: Publisher>(
    _ publisher: P, depth: Int = 63
  ) -> AnyPublisher<P.Output, P.Failure> {
    (0..<depth).reduce(publisher.eraseToAnyPublisher()) { inner, _ in
      Just(0).setFailureType(to: P.Failure.self).flatMap { _ in inner }.eraseToAnyPublisher()
    }
  }

  @Test func fewLevelsDeliverAtOnce() {
    let log = CallLog()
    let pages = Pages(count: 30)
    let sink = pages.first.sink(
      receiveCompletion: { _ in log.append("finished") }, receiveValue: { log.append("\($0)") })
    log.append("subscribed")
    expectEqual(log.lines, (0...30).map { "\($0)" } + ["finished", "subscribed"])
    sink.cancel()
  }
}

/// Pages of one number each. Each page knows whether there is a next one.
private final class Pages {
  typealias Load = ScriptedPublisher<Int, TestError>

  let count: Int
  let comeLater: Bool
  let failure: TestError?
  private(set) var loads: [Load] = []
  private var loaded = 0

  init(count: Int, comeLater: Bool = false, failure: TestError? = nil) {
    self.count = count
    self.comeLater = comeLater
    self.failure = failure
  }

  var first: AnyPublisher<Int, TestError> { page(0) }

  private func page(_ number: Int) -> AnyPublisher<Int, TestError> {
    load(number).flatMap { [self] number -> AnyPublisher<Int, TestError> in
      let page = Just(number).setFailureType(to: TestError.self)
      if number < count { return page.merge(with: self.page(number + 1)).eraseToAnyPublisher() }
      guard let failure else { return page.eraseToAnyPublisher() }
      return page.merge(with: Fail(error: failure)).eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }

  private func load(_ number: Int) -> AnyPublisher<Int, TestError> {
    guard comeLater else {
      return Just(number).setFailureType(to: TestError.self).eraseToAnyPublisher()
    }
    let load = Load()
    loads.append(load)
    return load.eraseToAnyPublisher()
  }

  /// Delivers pages that have been requested.
  func load(upTo count: Int = .max) {
    while loaded < count, loaded < loads.count {
      let load = loads[loaded]
      load.send(loaded)
      load.finish()
      loaded += 1
    }
  }
}

/// Runs a closure on a thread whose stack is too small for a recursion of a few hundred levels.
private func onASmallStack(_ body: @escaping @Sendable () -> Void) {
  let ended = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    ended.signal()
  }
  thread.stackSize = 2 << 20
  thread.start()
  ended.wait()
}

private func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
  guard condition else { fatalError(message()) }
}
