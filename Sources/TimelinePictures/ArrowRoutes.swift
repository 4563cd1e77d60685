/// The ways that arrows take between marks.
///
/// An arrow goes straight up or down at the instant of its effect if no mark stands between the
/// two. Otherwise it passes to the left of the marks there. An arrow from an earlier instant goes
/// to the right next to the row of its cause.
///
/// A value that an operator keeps for a while goes straight down to its row, and waits there: a bar
/// leads to the instant at which it's delivered.
struct ArrowRoutes {
  /// How an arrow goes up or down at an instant.
  enum Way: Equatable {
    case straight
    /// To the left of the marks, at one of several tracks. The first is the one closest to them.
    case beside(track: Int)
    /// At the instant of its cause, and then as a bar in the row of its effect.
    case waiting
  }

  struct Route {
    var arrow: Diagram.Arrow
    /// How it leaves its cause, if that's at an earlier instant.
    var start = Way.straight
    /// How it arrives at its effect.
    var end = Way.straight
  }

  /// A place between or at the marks of a column.
  private struct Place: Comparable {
    let row: Int
    let level: Int

    static func < (first: Place, second: Place) -> Bool {
      (first.row, first.level) < (second.row, second.level)
    }
  }

  /// A piece of an arrow that passes next to the marks of a column.
  private struct Bypass {
    let route: Int
    let isStart: Bool
    let cause: Int
    let from: Place
    let to: Place

    func overlaps(_ other: Bypass) -> Bool { from < other.to && other.from < to }
  }

  private(set) var routes: [Route] = []

  /// The bars of the times that operators let pass, without those of values that wait.
  private(set) var bars: [WaitBar] = []

  /// The positions of the discards that a line can lead to from their values.
  private(set) var discardsWithLine: Set<Int> = []

  /// The number of tracks at the left of each column, in the rows that they cross.
  private(set) var tracks: [[Int: Int]]

  private let marks: [Diagram.Mark]
  /// The places of marks in each column, in ascending order.
  private let places: [[Place]]

  init(_ diagram: Diagram) {
    marks = diagram.marks
    var places: [[Place]] = diagram.instants.map { _ in [] }
    for mark in marks where mark.stands {
      places[mark.column].append(Place(row: mark.row, level: mark.level))
    }
    for discard in diagram.discards {
      places[marks[discard.value].column].append(Place(row: discard.row, level: discard.level))
    }
    self.places = places.map { $0.sorted() }
    tracks = places.map { _ in [:] }
    routes = diagram.arrows.map { Route(arrow: $0) }
    findWaits(diagram)
    for bar in diagram.bars {
      if let rest = uncovered(bar) { bars.append(rest) }
    }
    discardsWithLine = Set(
      diagram.discards.indices.filter { index in
        let discard = diagram.discards[index]
        let mark = marks[discard.value]
        return !isBlocked(
          mark.column, Place(row: mark.row, level: mark.level),
          Place(row: discard.row, level: discard.level))
      })
    var bypasses: [Int: [Bypass]] = [:]
    for index in routes.indices {
      for (column, bypass) in self.bypasses(of: index) {
        bypasses[column, default: []].append(bypass)
      }
    }
    for (column, bypasses) in bypasses { place(bypasses, in: column) }
  }

  /// Finds the arrows to values that waited: those that are made of only one value, and whose row
  /// has nothing else in the meantime.
  private mutating func findWaits(_ diagram: Diagram) {
    let made = Dictionary(grouping: routes.lazy.filter(\.arrow.isMade).map(\.arrow), by: \.effect)
    var columns: [Int: [Int]] = [:]
    for mark in marks where mark.stands { columns[mark.row, default: []].append(mark.column) }
    for index in routes.indices where routes[index].arrow.isMade {
      let arrow = routes[index].arrow
      let (cause, effect) = (marks[arrow.cause], marks[arrow.effect])
      guard cause.row < effect.row, cause.event.time < effect.event.time, effect.level == 0,
        effect.stands,
        made[arrow.effect]?.count == 1, diagram.tints[arrow.effect].count <= 1,
        !isBlocked(
          cause.column, Place(row: cause.row, level: cause.level),
          Place(row: effect.row, level: .max))
      else { continue }
      // The columns of a row are in ascending order.
      let row = columns[effect.row] ?? []
      let position = row.firstPosition { $0 >= effect.column }
      if position == 0 || row[position - 1] < cause.column { routes[index].end = .waiting }
    }
  }

  /// The rows in which a bar stands, and its columns.
  var waitingRows: [(row: Int, columns: Range<Int>)] {
    routes.filter { $0.end == .waiting }.map { route in
      let (cause, effect) = (marks[route.arrow.cause], marks[route.arrow.effect])
      return (effect.row, cause.column..<effect.column)
    } + bars.map { ($0.row, $0.start..<$0.end + 1) }
  }

  /// What's left of a bar where no value waits. An arrow leads to it if nothing stands in its way,
  /// and if its row has no mark there.
  private mutating func uncovered(_ bar: WaitBar) -> WaitBar? {
    var bar = bar
    let value = routes.firstIndex {
      $0.end == .waiting && marks[$0.arrow.effect].row == bar.row
        && marks[$0.arrow.effect].column == bar.end
    }
    if let value {
      // The clock stands where the time is over.
      routes[value].arrow = routes[value].arrow.with(timer: bar.isOver)
      bar.end = max(bar.start, marks[routes[value].arrow.cause].column)
      bar.hasClock = false
    }
    guard bar.start < bar.end else { return nil }
    if let cause = bar.cause.map({ marks[$0] }) {
      let place = Place(row: cause.row, level: cause.level)
      let isFree =
        cause.stands && cause.row < bar.row && bar.columns.contains(cause.column)
        && !isBlocked(cause.column, place, Place(row: bar.row, level: .max))
      if !isFree { bar.cause = nil }
    }
    return bar
  }

  /// Whether marks stand between two places of a column.
  private func isBlocked(_ column: Int, _ first: Place, _ second: Place) -> Bool {
    let next = places[column].firstPosition { $0 > min(first, second) }
    return next < places[column].count && places[column][next] < max(first, second)
  }

  /// The pieces of an arrow that can't go straight.
  private mutating func bypasses(of index: Int) -> [(column: Int, Bypass)] {
    let arrow = routes[index].arrow
    let (cause, effect) = (marks[arrow.cause], marks[arrow.effect])
    let isDown = cause.row < effect.row
    let (start, end) = (
      Place(row: cause.row, level: cause.level), Place(row: effect.row, level: effect.level)
    )
    func bypass(_ first: Place, _ second: Place, isStart: Bool) -> Bypass {
      Bypass(
        route: index, isStart: isStart, cause: arrow.cause, from: min(first, second),
        to: max(first, second))
    }
    if routes[index].end == .waiting { return [] }
    if cause.column == effect.column {
      let isBlocked = isBlocked(effect.column, start, end)
      return isBlocked ? [(effect.column, bypass(start, end, isStart: false))] : []
    }
    // Next to the row of the cause, on the side of the effect.
    let turn = Place(row: cause.row, level: isDown ? .max : -1)
    var result: [(Int, Bypass)] = []
    if isBlocked(cause.column, start, turn) {
      result.append((cause.column, bypass(start, turn, isStart: true)))
    }
    if isBlocked(effect.column, turn, end) {
      result.append((effect.column, bypass(turn, end, isStart: false)))
    }
    return result
  }

  /// Gives the pieces next to a column their tracks, short ones close to the marks. Those of one
  /// cause stay together.
  private mutating func place(_ bypasses: [Bypass], in column: Int) {
    let places = places[column]
    func length(_ bypass: Bypass) -> Int {
      places.firstPosition { $0 > bypass.to } - places.firstPosition { $0 >= bypass.from }
    }
    var placed: [[Bypass]] = []
    for bypass in bypasses.stablySorted(by: { length($0) < length($1) }) {
      let track =
        placed.firstIndex { others in
          others.allSatisfy {
            !$0.overlaps(bypass) || $0.cause == bypass.cause && $0.isStart == bypass.isStart
          }
        } ?? placed.count
      if track == placed.count { placed.append([]) }
      placed[track].append(bypass)
      if bypass.isStart {
        routes[bypass.route].start = .beside(track: track)
      } else {
        routes[bypass.route].end = .beside(track: track)
      }
      for row in bypass.from.row...bypass.to.row {
        tracks[column][row] = max(tracks[column][row] ?? 0, track + 1)
      }
    }
  }
}
