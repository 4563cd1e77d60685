import VirtualTime

/// The times that a table has things at.
///
/// If there's room, it has all arrangements of all things. Else it has all arrangements of the
/// responses, and each other thing on its own. If that's too much as well, each is on its own.
struct Arrangements {
  /// Things that can be moved together, and the times of each in nanoseconds; `nil` is never.
  struct Group {
    let addresses: [String]
    let times: [[Int64?]]

    /// How many arrangements it has.
    var count: Int { times.reduce(1) { $0 * $1.count } }

    /// The times of each arrangement. The last thing's change first.
    var all: [[Int64?]] {
      times.reduce([[]]) { rows, times in rows.flatMap { row in times.map { row + [$0] } } }
    }
  }

  let groups: [Group]

  /// The most arrangements that a table has of one part.
  static let most = 10_000

  /// Arrangements with a distance between two times of a thing.
  init(of run: StageRun, only things: [StageRun.Thing], step: Int64) {
    let all = Self.groupings(of: things, step: step, end: run.end)
    groups = all.first { Self.count($0) <= Self.most } ?? all[all.count - 1]
  }

  /// The arrangements of a run with the smallest distance for which there's room.
  init(of run: StageRun, only things: [StageRun.Thing], atMost most: Int) {
    // A step that's larger than that isn't worth while.
    let steps = Self.steps.prefix { $0 <= run.end / 10 }
    let all = steps.map { Self.groupings(of: things, step: $0, end: run.end) }
    groups =
      (0..<Self.groupingCount).lazy.compactMap { kind in
        all.first { Self.count($0[kind]) <= most }?[kind]
      }.first ?? all.last?.last ?? []
  }

  /// A millisecond, two, five, ten and so on.
  private static let steps = sequence(state: (power: Int64(1_000_000), factors: [Int64]())) {
    state -> Int64? in
    if state.factors.isEmpty { state.factors = [1, 2, 5] }
    let step = state.power * state.factors.removeFirst()
    if state.factors.isEmpty { state.power *= 10 }
    return step
  }

  private static let groupingCount = 3

  /// All things together; all responses together, and the others alone; and each alone.
  private static func groupings(
    of things: [StageRun.Thing], step: Int64, end: Int64
  ) -> [[Group]] {
    let things = things.map { thing in
      (thing: thing, times: times(of: thing, step: step, longest: end + end / 16))
    }
    func group(_ chosen: [(thing: StageRun.Thing, times: [Int64?])]) -> Group {
      Group(addresses: chosen.map(\.thing.address), times: chosen.map(\.times))
    }
    let responses = things.filter { $0.thing.kind == .response }
    let others = things.filter { $0.thing.kind != .response }.map { group([$0]) }
    return [[group(things)], [group(responses)] + others, things.map { group([$0]) }]
  }

  private static func count(_ groups: [Group]) -> Int {
    groups.reduce(0) { sum, group in
      sum + group.times.reduce(1) { min(most + 1, $0 * $1.count) }
    }
  }

  /// The times of a thing: its usual one, each multiple of the step, and never.
  private static func times(of thing: StageRun.Thing, step: Int64, longest: Int64) -> [Int64?] {
    let last = min(thing.latest ?? longest, longest)
    let first = (thing.earliest + step - 1) / step * step
    let steps = first > last ? [] : Array(stride(from: first, through: last, by: Int(step)))
    let all = Set(steps).union([thing.usual]).sorted()
    return thing.latest == nil ? all + [nil] : all
  }
}
