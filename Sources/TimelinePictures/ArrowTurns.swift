/// The heights at which arrows go to the right between two rows.
///
/// Usually that's the middle of the space between the rows. If arrows of two causes would share a
/// piece of this line, they'd look like one. So the one that starts first stands further from its
/// cause, and the other closer to it. Arrows of one cause stay together.
struct ArrowTurns {
  /// The distance of both tracks from the middle.
  static let offset: Pixels = 2

  /// The space on one side of a row of a block.
  private struct Space: Hashable {
    let block: Int
    let place: Int
    let isDown: Bool
  }

  /// The piece of the line that the arrows of one cause take.
  private struct Run {
    let cause: Int
    var start: Pixels
    var end: Pixels
  }

  private struct Key: Hashable {
    let block: Int
    let cause: Int
    let isDown: Bool
  }

  private var offsets: [Key: Pixels] = [:]

  /// Finds the tracks of all arrows that turn.
  init(
    _ diagram: Diagram, _ arrows: [Diagram.Arrow], _ blocks: [PictureLayout.Block],
    blockOfColumn: [Int]
  ) {
    var runs: [Space: [Int: Run]] = [:]
    func note(_ arrow: Diagram.Arrow, in block: Int, from start: Pixels, to end: Pixels) {
      let (cause, effect) = (diagram.marks[arrow.cause].row, diagram.marks[arrow.effect].row)
      let places = blocks[block].places
      // Without the row of its cause, an arrow starts next to the row of its effect.
      let next = places[effect].map { $0.index + (cause < effect ? -1 : 1) }
      guard let place = places[cause]?.index ?? next else { return }
      let space = Space(block: block, place: place, isDown: cause < effect)
      let run = Run(cause: arrow.cause, start: start, end: end)
      runs[space, default: [:]][arrow.cause, default: run].start.formMinimum(start)
      runs[space, default: [:]][arrow.cause, default: run].end.formMaximum(end)
    }
    for arrow in arrows {
      let (start, end) = (diagram.marks[arrow.cause].column, diagram.marks[arrow.effect].column)
      let (first, last) = (blockOfColumn[start], blockOfColumn[end])
      guard start < end || arrow.spine > 0 else { continue }
      let effect = blocks[last].x(ofColumn: end) - arrow.spine * PictureSign.spinePitch
      let cause = blocks[first].x(ofColumn: start)
      if first == last {
        note(arrow, in: first, from: min(cause, effect), to: max(cause, effect))
      } else {
        note(arrow, in: first, from: cause, to: blocks[first].width)
        note(arrow, in: last, from: 0, to: effect)
      }
    }
    for (space, runs) in runs {
      place(runs.values.sorted { ($0.start, $0.cause) < ($1.start, $1.cause) }, in: space)
    }
  }

  private mutating func place(_ runs: [Run], in space: Space) {
    // The end of the last run, and of the last one on each track.
    var reached: Pixels = -1
    var (far, near) = (reached, reached)
    for (index, run) in runs.enumerated() {
      let next = index + 1 < runs.count ? runs[index + 1] : nil
      let isAlone = reached < run.start && next.map { run.end < $0.start } ?? true
      reached.formMaximum(run.end)
      if isAlone { continue }
      let key = Key(block: space.block, cause: run.cause, isDown: space.isDown)
      if far < run.start || near >= run.start {
        far.formMaximum(run.end)
        offsets[key] = Self.offset
      } else {
        near.formMaximum(run.end)
        offsets[key] = -Self.offset
      }
    }
  }

  /// The distance of an arrow's track from the middle, away from its cause.
  func offset(ofArrowFrom cause: Int, isDown: Bool, inBlock block: Int) -> Pixels {
    offsets[Key(block: block, cause: cause, isDown: isDown)] ?? 0
  }
}

extension Pixels {
  fileprivate mutating func formMinimum(_ other: Pixels) { self = min(self, other) }
  fileprivate mutating func formMaximum(_ other: Pixels) { self = max(self, other) }
}
