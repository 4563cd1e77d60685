import Testing

@testable import Timeline
@testable import TimelinePictures

struct ValueTintTests {
  /// For each event, the numbers of its tints, from 1.
  private func tints(_ run: HandMadeRun, hidden: Set<Int> = []) -> [[Int]] {
    let numbers = Dictionary(
      uniqueKeysWithValues: (0..<36).map { (ValueTint(number: $0), $0 + 1) })
    let lanes = LaneRows(run.part()) { event, _ in hidden.contains(event.number) }
    return ValueTint.tints(lanes).map { $0.compactMap { numbers[$0] } }
  }

  @Test func theFirstThirtySixLookDifferent() {
    let all = (0..<36).map { ValueTint(number: $0) }
    #expect(Set(all).count == 36)
    #expect(Set(all.prefix(6).map(\.notch)).count == 6)
    // As the first, but with another notch.
    #expect(all[6].colour == 0 && all[6].notch == 1)
  }

  @Test func aValueKeepsItsTintOnItsWay() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    run.add(0, "map", .value("10"), cause: first, from: [first])
    let second = run.add(1, "a", .value("2"))
    let mapped = run.add(1, "map", .value("20"), cause: second, from: [second])
    run.add(1, .console, .printed("20"), cause: mapped, from: [mapped])
    #expect(tints(run) == [[1], [1], [2], [2], [2]])
  }

  @Test func aValueThatNothingIsMadeOfHasNone() {
    var run = HandMadeRun()
    let tick = run.add(0, "ticks", .value("1"))
    let request = run.add(0, "load", .subscription, cause: tick)
    run.add(1, "load", .value("data"), cause: request)
    // The data is what the program gets.
    #expect(tints(run) == [[], [], [1]])
    run.add(2, "ticks", .value("dropped"))
    run.add(3, "ticks", .finished)
    run.add(3, "load", .finished, cause: 5)
    #expect(tints(run) == [[], [], [1], [], [], []])
  }

  @Test func aValueIsUsedDeliveredOrDropped() {
    var run = HandMadeRun()
    let kept = run.add(0, "numbers", .value("2"))
    run.add(0, "filter", .value("2"), cause: kept, from: [kept])
    let odd = run.add(1, "numbers", .value("3"))
    run.add(1, .console, .printed("is 3 even?"), cause: odd, from: [odd])
    let last = run.add(2, "numbers", .value("5"))
    run.add(2, "filter", .failure("bad"), cause: last)
    let fates = ValueFate.fates(LaneRows(run.part()))
    #expect(fates == [.used, .delivered, .dropped, .used, .used, .used])
    // Nothing has come of the first lane so far, but the second one subscribed to it.
    var silent = HandMadeRun()
    silent.subscribe(0, ["typed", "debounce"])
    silent.add(1, "typed", .value("s"), life: 1)
    #expect(ValueFate.fates(LaneRows(silent.part())).last == .dropped)
  }

  @Test func aPairHasTheTintsOfBothTheNewestLast() {
    var run = HandMadeRun()
    let left = run.add(0, "left", .value("1"))
    let right = run.add(1, "right", .value("a"))
    let pair = run.add(1, "latest", .value("1a"), cause: right, from: [left, right])
    let next = run.add(2, "left", .value("2"))
    run.add(2, "latest", .value("2a"), cause: next, from: [right, next])
    run.add(2, "map", .value("1A"), cause: pair, from: [pair])
    #expect(tints(run) == [[1], [2], [1, 2], [3], [2, 3], [1, 2]])
  }

  @Test func ofManyTheLatestThreeCount() {
    var run = HandMadeRun()
    let values = (0..<5).map { run.add($0, "a", .value("\($0)")) }
    run.add(9, "collect", .value("all"), from: values)
    #expect(tints(run).last == [3, 4, 5])
  }

  @Test func twoOfOneTintAreOne() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"))
    let copies = ["b", "c"].map { lane in
      run.add(0, .operator(lane), .value("1"), cause: value, from: [value])
    }
    run.add(0, "zip", .value("11"), cause: copies[1], from: copies)
    #expect(tints(run).last == [1])
  }
}
