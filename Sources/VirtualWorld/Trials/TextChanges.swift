/// The lines of two texts, side by side: those of both, and those of only one of them.
struct TextChanges {
  enum Mark {
    case both
    case removed
    case added
  }

  typealias Row = (mark: Mark, line: String)

  /// A piece of a text that shows changes only.
  enum Piece {
    case row(Row)
    /// Lines that are left out, because both texts have them.
    case cut(Int)
  }

  /// Removed lines come before those that replace them.
  private(set) var rows: [Row] = []

  init(from old: [String], to new: [String]) {
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(\.offset))
    let added = Set(difference.insertions.map(\.offset))
    var next = 0
    func addedRows() -> [Row] {
      let end = new[next...].indices.first { !added.contains($0) } ?? new.count
      defer { next = end }
      return new[next..<end].map { (mark: .added, line: $0) }
    }
    for (index, line) in old.enumerated() {
      if removed.contains(index) {
        rows.append((mark: .removed, line: line))
      } else {
        rows += addedRows()
        rows.append((mark: .both, line: line))
        next += 1
      }
    }
    rows += addedRows()
  }

  /// The changes, with a line of both texts before and after each.
  var pieces: [Piece] {
    let changes = rows.indices.filter { rows[$0].mark != .both }
    let shown = Set(changes.flatMap { [$0 - 1, $0, $0 + 1] })
    var pieces: [Piece] = []
    var start = 0
    while start < rows.count {
      let end = rows[start...].indices.first { shown.contains($0) } ?? rows.count
      // To say that one line is left out takes a line too.
      pieces += end - start > 1 ? [.cut(end - start)] : rows[start..<end].map { .row($0) }
      if end < rows.count { pieces.append(.row(rows[end])) }
      start = end + 1
    }
    return pieces
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
