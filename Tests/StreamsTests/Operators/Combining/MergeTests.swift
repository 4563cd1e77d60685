import Streams
import TestSupport
import Testing

/// Tests the values and the demand of `merge`. `MergingJunctionTests` tests cancellation,
/// re-entrancy, lifetime and threads.
struct MergeTests {
  private typealias Source = ScriptedPublisher<Int, TestError>

  private let log = CallLog()
  private let a: Source
  private let b: Source

  init() {
    a = Source(name: "a", log: log)
    b = Source(name: "b", log: log)
  }

  @Test func sendsItsSubscriptionBeforeItSubscribesAndRequestsOneValueFromEach() {
    Publishers.Merge(a, b).subscribe(History(demand: .max(2), log: log))
    log.expect([
      "downstream: subscription Merge", "a: subscribe", "a: request max(1)", "b: subscribe",
      "b: request max(1)",
    ])
  }

  @Test func withoutDemandEachPublisherIsOneValueAhead() {
    let history = Publishers.Merge(a, b).history(demand: .max(1))
    expectEqual(a.send(1), .max(1))
    expectEqual(a.send(2), .none)
    expectEqual(b.send(3), .none)
    expectEqual(history.values, [1])
    log.removeAll()
    history.request(2)
    expectEqual(history.values, [1, 2, 3])
    log.expect(["a: request max(1)", "b: request max(1)"])
    a.finish()
    b.send(4)
    b.finish()
    #expect(history.completion == nil)
    history.request(.unlimited)
    expectEqual(history.events.suffix(2), [.value(4), .finished])
  }

  /// Also values that a publisher sends without being asked. Combine keeps only the newest of each
  /// publisher, and delivers them in the order of the publishers.
  @Test func waitingValuesLeaveInTheOrderOfArrival() {
    let history = Publishers.Merge(a, b).history(demand: .none)
    for (source, value) in [(b, 1), (a, 2), (b, 3), (a, 4)] {
      expectEqual(source.send(value), .none)
    }
    log.removeAll()
    history.request(1)
    expectEqual(history.values, [1])
    history.request(3)
    expectEqual(history.values, [1, 2, 3, 4])
    log.expect(["b: request max(1)", "a: request max(1)", "b: request max(1)", "a: request max(1)"])
  }

  @Test func aRequestForZeroValuesIsIgnored() {
    let history = Publishers.Merge(a, b).history(demand: .none)
    log.removeAll()
    a.send(1)
    history.request(.none)
    log.expect([])
    expectEqual(history.text, "Merge:")
  }

  @Test func unlimitedDemandIsPassedToAll() {
    let history = Publishers.Merge(a, b).history(demand: .none)
    log.removeAll()
    history.request(.unlimited)
    log.expect(["a: request unlimited", "b: request unlimited"])
    expectEqual(b.send(1), .none)
  }

  // MARK: More publishers

  @Test func anyNumberOfOneTypeIsMerged() {
    let sources = (0..<12).map { Source(name: "\($0)") }
    let history = Publishers.MergeMany(sources).history()
    for (index, source) in sources.enumerated() {
      source.send(index)
      source.finish()
    }
    expectEqual(
      history.events, [.subscription("Merge")] + (0..<12).map { .value($0) } + [.finished])
  }

  @Test func publishersMayFinishInAnyOrder() {
    for order in [[0, 2, 1, 3], [1, 3, 0, 2], [3, 2, 1, 0], [2, 3, 0, 1]] {
      let sources = (0..<4).map { Source(name: "\($0)") }
      let history = Publishers.MergeMany(sources).history()
      for index in order {
        #expect(history.completion == nil)
        for source in sources { source.send(index) }
        sources[index].finish()
      }
      let values = zip(order, [4, 3, 2, 1]).flatMap { Array(repeating: $0, count: $1) }
      expectEqual(
        history.events, [.subscription("Merge")] + values.map { .value($0) } + [.finished])
    }
  }

  @Test func mergingNothingFinishesAtOnce() {
    let history = Publishers.MergeMany([Source]()).history(demand: .none)
    expectEqual(history.text, "Merge: |")
  }

  /// Tests each way to merge two to eight publishers, and each way to add to a merge.
  @Test func upToEightAreMergedByOneStage() {
    let j = (0...8).map { Just($0) }
    // Publishers of one type, and of different types.
    let other = Empty<Int, Never>()
    let merges: [(Int, AnyPublisher<Int, Never>)] = [
      (2, j[0].merge(with: j[1]).eraseToAnyPublisher()),
      (1, j[0].merge(with: other).eraseToAnyPublisher()),
      (3, j[0].merge(with: j[1], j[2]).eraseToAnyPublisher()),
      (4, j[0].merge(with: j[1], j[2], j[3]).eraseToAnyPublisher()),
      (5, j[0].merge(with: j[1], j[2], j[3], j[4]).eraseToAnyPublisher()),
      (6, j[0].merge(with: j[1], j[2], j[3], j[4], j[5]).eraseToAnyPublisher()),
      (7, j[0].merge(with: j[1], j[2], j[3], j[4], j[5], j[6]).eraseToAnyPublisher()),
      (8, j[0].merge(with: j[1], j[2], j[3], j[4], j[5], j[6], j[7]).eraseToAnyPublisher()),
    ]
    for (count, merge) in merges {
      expectEqual(
        merge.history().lines,
        ["subscription Merge"] + (0..<count).map { "value \($0)" } + ["finished"])
    }
  }

  @Test func mergingWithAMergeMakesOneStage() {
    let j = (0...8).map { Just($0) }
    let two = Publishers.Merge(j[0], j[1])
    let three: Publishers.Merge3 = two.merge(with: j[2])
    let four: Publishers.Merge4 = three.merge(with: j[3])
    let five: Publishers.Merge5 = four.merge(with: j[4])
    let six: Publishers.Merge6 = five.merge(with: j[5])
    let seven: Publishers.Merge7 = six.merge(with: j[6])
    let eight: Publishers.Merge8 = seven.merge(with: j[7])
    expectEqual(eight.history().values, Array(0..<8))
    expectEqual(eight, Publishers.Merge8(j[0], j[1], j[2], j[3], j[4], j[5], j[6], j[7]))
    #expect(eight != Publishers.Merge8(j[0], j[1], j[2], j[3], j[4], j[5], j[6], j[8]))
    let more: Publishers.Merge8 = two.merge(with: j[2], j[3], j[4], j[5], j[6], j[7])
    expectEqual(more, eight)
    let many: Publishers.MergeMany = j[0].merge(with: j[1]).merge(with: j[2])
    expectEqual(many, Publishers.MergeMany(j[0], j[1], j[2]))
    expectEqual(many.publishers, [j[0], j[1], j[2]])
  }

  @Test func nothingIsRequestedAfterACancellationWithinARequest() {
    let (a, b) = (Source(), Source())
    let history = a.merge(with: b).history(demand: .none)
    a.send(1)
    b.send(2)
    history.onValue = { [unowned history] _ in
      history.cancel()
      return .none
    }
    history.request(.unlimited)
    expectEqual(history.text, "Merge: 1")
    expectEqual(a.calls, [.request(.max(1)), .cancel])
    expectEqual(b.calls, [.request(.max(1)), .cancel])
  }
}
