/// The left edges of names that stand above their lanes, where arrows pass.
///
/// A name stands at the left edge of its block. If an arrow would go through it there, it moves to
/// the right, to the first gap between arrows that's wide enough.
struct NamePlaces {
  /// By block and row, from the left edge of the block's lanes.
  private(set) var places: [[Int: Pixels]] = []

  /// The rows whose name found no gap in one of the blocks, with the width that it needs.
  private(set) var missing: [Int: Pixels] = [:]

  /// Finds the places of all names.
  ///
  /// - Parameters:
  ///   - rows: The rows of the diagram.
  ///   - blocks: The blocks, with the places of their columns.
  ///   - crossings: By column, the rows above whose middle an arrow passes.
  init(_ rows: [Diagram.Row], _ blocks: [PictureLayout.Block], crossings: [[Int]]) {
    let widths = rows.map { Pixels.monospaced($0.name.quotedIfNeeded.cells, size: 12) }
    let right = blocks.map(\.width).max() ?? 0
    for block in blocks {
      var arrows: [Int: [Pixels]] = [:]
      for (column, x) in zip(block.columns, block.x) {
        for row in crossings[column] { arrows[row, default: []].append(x) }
      }
      var places: [Int: Pixels] = [:]
      for row in block.rows {
        let arrows = arrows[row] ?? []
        let width = widths[row]
        let place = ([0] + arrows.map { $0 + Self.gap }).first { place in
          (place == 0 || place + width <= right)
            && arrows.allSatisfy { $0 < place || place + width + Self.gap <= $0 }
        }
        if place == nil { missing[row] = width + Self.gap }
        places[row] = place ?? 0
      }
      self.places.append(places)
    }
  }

  /// The distance from the middle of an arrow.
  private static let gap: Pixels = 8
}
