import Testing

@testable import ScenarioKit

/// The times at which a table has the things of a run.
@Suite struct ArrangementsTests {
  private func value(_ number: Int, at usual: Int64, before latest: Int64? = nil)
    -> StageRun.Thing
  {
    thing("taps value \(number)", value: "\(number)", at: usual, latest: latest)
  }

  private func thing(_ address: String, value: String?, at usual: Int64, latest: Int64?)
    -> StageRun.Thing
  {
    StageRun.Thing(
      address: address, words: address, deed: nil, value: value, kind: .input, place: nil,
      source: "taps", usual: usual, time: usual, earliest: 0, latest: latest)
  }

  private func groups(_ things: [StageRun.Thing]) -> [Arrangements.Group] {
    let run = StageRun(events: [], waits: [], things: things, end: 4)
    return Arrangements(of: run, only: things, step: 1).groups
  }

  @Test func `values of one source keep their order, and stay before its end`() {
    // The script has the end first, and says what bounds each of them in the usual run.
    let end = thing("the end of taps", value: nil, at: 3, latest: nil)
    let groups = groups([end, value(1, at: 1, before: 3), value(2, at: 2, before: 3)])
    #expect(groups.map(\.addresses) == [["taps value 1", "taps value 2", "the end of taps"]])
    #expect(
      groups.map(\.all) == [
        [
          [0, 1, 2], [0, 1, 3], [0, 1, 4], [0, 2, 3], [0, 2, 4], [0, 3, 4], [1, 2, 3], [1, 2, 4],
          [1, 3, 4], [2, 3, 4],
        ]
      ])
    #expect(groups.map(\.count) == [10])
  }

  @Test func `only values that usually come together may come together`() {
    #expect(
      groups([value(1, at: 3), value(2, at: 3)]).map(\.all) == [
        [
          [0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [1, 1], [1, 2], [1, 3], [1, 4], [2, 2], [2, 3],
          [2, 4], [3, 3], [3, 4], [4, 4],
        ]
      ])
  }

  @Test func `things without an order have all combinations`() {
    let group = Arrangements.Group(
      addresses: ["a", "b", "c"], times: [[0, 1], [0, 1, nil], [0, 2]],
      orders: [nil, nil, .init(thing: 0, distance: 1)])
    #expect(group.count == 9)
    #expect(group.all.count == 9)
    #expect(group.all.first == [0, 0, 2])
    #expect(group.all.last == [1, nil, 2])
  }

  @Test func `what's too much to count is too much for a table`() {
    let times: [Int64?] = (Int64(0)..<2_000).map { $0 }
    let group = Arrangements.Group(
      addresses: ["a", "b", "c"], times: [times, times, times],
      orders: [nil, .init(thing: 0, distance: 0), .init(thing: 1, distance: 0)])
    #expect(group.count == Arrangements.most + 1)
  }
}
