import Timeline

/// How far each mark stands below the first level of its row.
///
/// A life stays at the height of its start, so no line leads from one life to the next. One that
/// starts at the instant at which another one of its row ends starts below it.
///
/// An end stands at its tick. If the words of the value before it are still there, it stands below
/// them.
struct MarkDrops {
  /// The space between words and an end below them.
  private static let gap: Pixels = 2

  private var drops: [Pixels]

  /// How far each discard stands below the first level of its row.
  private(set) var discards: [Pixels] = []

  /// Finds the heights of all marks.
  ///
  /// - Parameters:
  ///   - diagram: The diagram.
  ///   - signs: The signs of its marks.
  ///   - ends: The ends that may stand below words.
  ///   - levels: How far each level of each column is below the first one.
  ///   - distance: Returns the distance between two columns, or `nil` if they're in two blocks.
  init(
    _ diagram: Diagram, _ signs: [PictureSign], ends: Set<Int>, levels: [[Pixels]],
    distance: (_ first: Int, _ second: Int) -> Pixels?
  ) {
    let marks = diagram.marks
    drops = marks.map { levels[$0.column][$0.level] }
    let starts = Set(diagram.lanes.lines.map(\.start))
    let rows = Dictionary(grouping: marks.indices.filter { !marks[$0].isHidden }) {
      marks[$0].row
    }
    for row in rows.values {
      // The height of the current life, and of the first one that has a mark at this instant.
      var (life, first): (Pixels, Pixels) = (0, 0)
      var column: Int?
      var words: Int?
      for index in row {
        let isStart = starts.contains(index)
        if marks[index].column != column {
          column = marks[index].column
          first = isStart ? 0 : life
        }
        drops[index] = drops[index] + first
        if isStart { life = drops[index] }
        if let words, ends.contains(index),
          let distance = distance(marks[words].column, marks[index].column),
          distance < signs[words].right + ColumnSpacing.gap + signs[index].left
        {
          drops[index] = drops[words] + signs[words].below + Self.gap + signs[index].above
        }
        if marks[index].stands { words = index }
      }
    }
    discards = diagram.discards.map { height(of: $0, in: diagram, levels) }
  }

  /// A discard stands at the height of the life that dropped the value.
  private func height(
    of discard: Diagram.Discard, in diagram: Diagram, _ levels: [[Pixels]]
  ) -> Pixels {
    let column = diagram.marks[discard.value].column
    let life = diagram.lanes.lines.last { $0.row == discard.row && $0.start < discard.value }
    guard let start = life?.start else { return levels[column][discard.level] }
    let mark = diagram.marks[start]
    let first = mark.column == column ? drops[start] - levels[column][mark.level] : drops[start]
    return first + levels[column][discard.level]
  }

  /// How far a mark stands below the first level of its row.
  subscript(index: Int) -> Pixels { drops[index] }
}
