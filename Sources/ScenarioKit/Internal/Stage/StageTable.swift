import Foundation

/// The runs in a page that needs no program: those that a reader can choose, each run in advance.
///
/// Runs that differ in times only have one shape. In a group of arrangements, each time of a shape
/// is the same in all of them, or stands at a distance from a thing that was moved, or else is
/// listed. The table finds out which, so the page computes nothing that a run hasn't shown.
struct StageTable: Encodable {
  /// A run without its times. Each number is an index in a list of the table.
  private struct Shape: Hashable, Encodable {
    let instants: [Int]
    let waits: [Int]
    let things: [Int]
    let outcome: [Int]
    let problems: [Int]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for list in [instants, waits, things, outcome, problems] { try container.encode(list) }
    }
  }

  /// A time of a shape, in all arrangements of a group that have the shape.
  private enum Column: Encodable {
    case constant(Int64)
    /// At a distance from a thing of the group.
    case moved(thing: Int, by: Int64)
    /// The time in each of the arrangements.
    case listed([Int64])

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .constant(let time):
        var container = encoder.singleValueContainer()
        try container.encode(time)
      case .moved(let thing, let distance):
        var container = encoder.unkeyedContainer()
        try container.encode(thing)
        try container.encode(distance)
      case .listed(let times):
        var container = encoder.unkeyedContainer()
        try container.encode(times)
      }
    }
  }

  private struct Group: Encodable {
    let addresses: [String]
    let times: [[Int64?]]
    let orders: [Arrangements.Group.Order?]
    /// The shape of each arrangement.
    let shapes: [Int]
    /// The times of each shape that it has.
    let columns: [String: [Column]]
  }

  /// A run that isn't an arrangement of a group.
  private struct Single: Encodable {
    let moves: [String]
    let fault: String?
    let schedule: String?
    let shape: Int
    let times: [Int64]
  }

  /// A part with some flags.
  private struct Variant: Encodable {
    let part: Int
    let flags: [String]
    var groups: [Group] = []
    var singles: [Single] = []
    var endings: [StageEnding] = []
  }

  private let program: StageProgram
  /// What the page opens on: a part from 1, and flags.
  private(set) var part = 1
  private(set) var flags: [String] = []
  private(set) var files: [SourceFiles.File] = []
  private var events = Pool<StageEvent>()
  /// What happens at one time.
  private var instants = Pool<[Int]>()
  private var waits = Pool<StageRun.Wait>()
  private var things = Pool<StageRun.Thing>()
  private var texts = Pool<String>()
  private var shapes = Pool<Shape>()
  private var variants: [Variant] = []

  init(_ program: StageProgram) { self.program = program }

  /// The data as JSON that can stand in a `script` element.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      preconditionFailure("texts and whole numbers can be encoded")
    }
    // A `</script>` in a text would end the element.
    return String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c")
  }

  mutating func open(part: Int, flags: [String]) { (self.part, self.flags) = (part, flags) }

  mutating func set(_ files: [SourceFiles.File]) { self.files = files }

  /// Adds a part with flags, which the next runs belong to.
  mutating func addVariant(part: Int, flags: [String]) {
    variants.append(Variant(part: part, flags: flags))
  }

  mutating func add(_ endings: [StageEnding]) { variants[variants.count - 1].endings = endings }

  /// Whether a reader can move anything.
  var hasMovableThings: Bool { variants.contains { !$0.groups.isEmpty } }

  /// Adds a run that isn't an arrangement of a group.
  mutating func add(
    _ run: StageRun, moves: [String] = [], fault: String? = nil, schedule: String? = nil
  ) {
    let (shape, times) = split(run)
    variants[variants.count - 1].singles.append(
      Single(moves: moves, fault: fault, schedule: schedule, shape: shape, times: times))
  }

  /// Adds all arrangements of a group.
  ///
  /// - Parameter run: Runs an arrangement: the times of the group's things.
  mutating func add(_ group: Arrangements.Group, _ run: ([Int64?]) -> StageRun) {
    let arrangements = group.all
    let runs = arrangements.map { split(run($0)) }
    var columns: [String: [Column]] = [:]
    for (shape, cells) in Dictionary(grouping: runs.indices, by: { runs[$0].shape }) {
      columns["\(shape)"] = runs[cells[0]].times.indices.map { place in
        Self.column(
          cells.map { runs[$0].times[place] }, moved: cells.map { arrangements[$0] })
      }
    }
    variants[variants.count - 1].groups.append(
      Group(
        addresses: group.addresses, times: group.times, orders: group.orders,
        shapes: runs.map(\.shape), columns: columns))
  }

  /// The shortest rule for some times.
  ///
  /// - Parameter moved: For each of them, the times of the things that were moved.
  private static func column(_ times: [Int64], moved: [[Int64?]]) -> Column {
    if times.allSatisfy({ $0 == times[0] }) { return .constant(times[0]) }
    for thing in moved[0].indices {
      guard let first = moved[0][thing] else { continue }
      let distance = times[0] - first
      if zip(times, moved).allSatisfy({ time, row in row[thing].map { $0 + distance } == time }) {
        return .moved(thing: thing, by: distance)
      }
    }
    return .listed(times)
  }

  private mutating func split(_ run: StageRun) -> (shape: Int, times: [Int64]) {
    var (run, times) = (run, [Int64]())
    run.moveTimes(to: &times)
    var together: [[Int]] = []
    for event in run.events {
      if event.joins != true { together.append([]) }
      together[together.count - 1].append(events.index(of: event))
    }
    let shape = Shape(
      instants: together.map { instants.index(of: $0) },
      waits: run.waits.map { waits.index(of: $0) },
      things: run.things.map { things.index(of: $0) },
      outcome: run.outcome.map { texts.index(of: $0) },
      problems: run.problems.map { texts.index(of: $0) })
    return (shapes.index(of: shape), times)
  }
}

/// Values that each have an index.
private struct Pool<Value: Hashable & Encodable & Sendable>: Encodable {
  private var values: [Value] = []
  private var indices: [Value: Int] = [:]

  mutating func index(of value: Value) -> Int {
    if let index = indices[value] { return index }
    values.append(value)
    indices[value] = values.count - 1
    return values.count - 1
  }

  func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

/// What a program says about itself before its runs.
struct StageProgram: Encodable {
  struct Flag: Encodable {
    let name: String
    let summary: String
  }

  let scenario: String
  let summary: String
  let parts: [String]
  let flags: [Flag]
  /// Whether the transcript names threads.
  let showsThreads: Bool

  init(_ scenario: Scenario, parts: [String]? = nil) {
    self.scenario = scenario.name
    (summary, self.parts) = (scenario.summary, parts ?? scenario.parts.map(\.title))
    flags = scenario.flags.map { Flag(name: $0.name, summary: $0.summary) }
    showsThreads = scenario.showsThreads
  }
}
