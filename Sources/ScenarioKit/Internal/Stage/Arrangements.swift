import VirtualTime

/// The times that a table has things at.
///
/// If there's room, it has all arrangements of all things. Else it has all arrangements of the
/// responses, and each other thing on its own. If that's too much, each is on its own.
struct Arrangements {
  /// Things that can be moved together. Those of one source keep their order.
  struct Group {
    /// What a thing can't come before.
    struct Order: Encodable {
      /// The index of an earlier thing.
      let thing: Int
      /// How much later it comes at least.
      let distance: Int64

      func allows(_ time: Int64?, after earlier: Int64?) -> Bool {
        guard let time, let earlier else { return true }
        return time >= earlier + distance
      }
    }

    let addresses: [String]
    /// The times of each in nanoseconds, sorted. The last may be `nil`, which stands for never.
    let times: [[Int64?]]
    let orders: [Order?]

    /// How many arrangements it has, or one more than a table has room for.
    var count: Int {
      func limited(_ count: Int) -> Int { min(count, Arrangements.most + 1) }
      // For each time of a thing, how many ways there are for those of its source up to it.
      var ways: [[Int]] = []
      for (index, order) in orders.enumerated() {
        guard let order else {
          ways.append(times[index].map { _ in 1 })
          continue
        }
        var (next, sum) = (0, 0)
        ways.append(
          times[index].map { time in
            let earlier = times[order.thing]
            while next < earlier.count, order.allows(time, after: earlier[next]) {
              sum = limited(sum + ways[order.thing][next])
              next += 1
            }
            return sum
          })
      }
      let followed = Set(orders.compactMap { $0?.thing })
      return ways.indices.filter { !followed.contains($0) }.reduce(1) { product, last in
        limited(product * ways[last].reduce(0) { limited($0 + $1) })
      }
    }

    /// The times of each arrangement. The last thing's change first.
    var all: [[Int64?]] {
      orders.indices.reduce([[]]) { rows, index in
        rows.flatMap { row in
          times[index].filter { time in
            orders[index].map { $0.allows(time, after: row[$0.thing]) } ?? true
          }.map { row + [$0] }
        }
      }
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
    let longest = end + end / 16
    func group(_ things: [StageRun.Thing]) -> Group {
      Group(things, step: step, longest: longest)
    }
    let responses = things.filter { $0.kind == .response }
    let others = things.filter { $0.kind != .response }.map { group([$0]) }
    return [[group(things)], [group(responses)] + others, things.map { group([$0]) }]
  }

  /// Whether there are more than a table has room for.
  var isTooMuch: Bool { Self.count(groups) > Self.most }

  private static func count(_ groups: [Group]) -> Int {
    groups.reduce(0) { min(most + 1, $0 + $1.count) }
  }
}

extension Arrangements.Group {
  /// - Parameters:
  ///   - things: What can be moved.
  ///   - step: The distance between two times of a thing.
  ///   - longest: The last time, for things that can come at any time.
  fileprivate init(_ things: [StageRun.Thing], step: Int64, longest: Int64) {
    // Of two things of one source at one time, the value comes before the end.
    let things = things.sorted {
      ($0.usual, $0.value == nil ? 1 : 0) < ($1.usual, $1.value == nil ? 1 : 0)
    }
    addresses = things.map(\.address)
    times = things.map { thing in
      thing.times(with: things.filter { $0.isOrdered(with: thing) }, step: step, longest: longest)
    }
    orders = things.enumerated().map { index, thing in
      things[..<index].lastIndex { $0.isOrdered(with: thing) }.map {
        Order(thing: $0, distance: min(step, thing.usual - things[$0].usual))
      }
    }
  }
}

extension StageRun.Thing {
  /// Whether two things belong to one source, whose values keep their order.
  fileprivate func isOrdered(with other: Self) -> Bool {
    source != nil && source == other.source
  }

  /// The times of a thing: its usual one, each multiple of the step, and never. A source's things
  /// always come, because without its end, a run with a timer might go on forever.
  ///
  /// - Parameter others: The things of its source, which may push it.
  fileprivate func times(with others: [Self], step: Int64, longest: Int64) -> [Int64?] {
    let last = ([self] + others).map { min($0.latest ?? longest, longest) }.max() ?? longest
    let earliest = ([self] + others).map(\.earliest).min() ?? earliest
    let first = (earliest + step - 1) / step * step
    let steps = first > last ? [] : Array(stride(from: first, through: last, by: Int(step)))
    let all = Set(steps).union([usual]).sorted()
    return latest == nil && source == nil ? all + [nil] : all
  }
}
