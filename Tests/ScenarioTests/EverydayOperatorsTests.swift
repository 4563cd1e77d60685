import ScenarioKit
import Testing

/// The claims of the page everyday-operators that its transcript doesn't show.
@Suite struct EverydayOperatorsTests {
  private let phone = PassthroughSubject<Int, Never>()
  private let watch = PassthroughSubject<Int, Never>()

  /// What the label shows.
  private var totals: some Publisher<Int, Never> {
    phone.merge(with: watch).scan(0) { total, tap in total + tap }
  }

  /// The signals of a stream while the user taps, on the phone and on the watch in turn.
  private func history(
    of stream: some Publisher<some Any, Never>, taps: [Int] = [1, 1, 1, -1, -1, 1],
    end: () -> Void = {}
  ) -> [String] {
    var history: [String] = []
    let subscription = stream.sink(
      receiveCompletion: { history.append("\($0)") }, receiveValue: { history.append("\($0)") })
    for (index, tap) in taps.enumerated() { (index.isMultiple(of: 2) ? phone : watch).send(tap) }
    end()
    subscription.cancel()
    return history
  }

  @Test func mergeGoesOnWhileOneOfItsPublishersDoes() {
    watch.send(completion: .finished)
    #expect(history(of: phone.merge(with: watch), taps: [1, 1, 1]) == ["1", "1"])
  }

  @Test func mergeFinishesWhenAllOfItsPublishersHave() {
    let merged = history(of: phone.merge(with: watch), taps: [1]) {
      watch.send(completion: .finished)
      phone.send(1)
      phone.send(completion: .finished)
    }
    #expect(merged == ["1", "1", "finished"])
  }

  @Test func aLabelThatComesLateCountsFromZero() {
    var (first, late): ([Int], [Int]) = ([], [])
    let totals = totals
    let kept = totals.sink { first.append($0) }
    phone.send(1)
    watch.send(1)
    let keptToo = totals.sink { late.append($0) }
    phone.send(1)
    #expect(first == [1, 2, 3])
    #expect(late == [1])
    kept.cancel()
    keptToo.cancel()
  }

  @Test func aboveTheMapRemoveDuplicatesLetsEqualTextsThrough() {
    let above = history(of: totals.removeDuplicates().map { $0 >= 2 ? "star" : "no star" })
    #expect(above == ["no star", "star", "star", "star", "no star", "star"])
    let below = history(of: totals.map { $0 >= 2 ? "star" : "no star" }.removeDuplicates())
    #expect(below == ["no star", "star", "no star", "star"])
  }

  @Test func theOthersThatWaitForTheEndDeliverNothingWhileTapsGoOn() {
    #expect(history(of: totals.reduce(0) { $0 + $1 }) == [])
    #expect(history(of: totals.count()) == [])
    #expect(history(of: totals.max()) == [])
  }
}
