/// The difference of two lists of lines, as `diff -u` prints it.
struct UnifiedDiff {
  private struct Edit {
    let mark: Character
    let line: String
    let oldIndex: Int
    let newIndex: Int
  }

  private let edits: [Edit]

  init(old: [String], new: [String]) {
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in new.difference(from: old, by: { $0.isSpelled(like: $1) }) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var edits: [Edit] = []
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      let mark: Character =
        removed.contains(oldIndex) ? "-" : inserted.contains(newIndex) ? "+" : " "
      let line = mark == "+" ? new[newIndex] : old[oldIndex]
      edits.append(Edit(mark: mark, line: line, oldIndex: oldIndex, newIndex: newIndex))
      if mark != "+" { oldIndex += 1 }
      if mark != "-" { newIndex += 1 }
    }
    self.edits = edits
  }

  /// The hunks, each below its `@@` line; none if nothing differs.
  func lines(context: Int = 3) -> [String] {
    var hunks: [Range<Int>] = []
    for index in edits.indices where edits[index].mark != " " {
      let hunk = max(0, index - context)..<min(edits.count, index + context + 1)
      if let last = hunks.last, last.upperBound >= hunk.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<hunk.upperBound
      } else {
        hunks.append(hunk)
      }
    }
    return hunks.flatMap { hunk in
      [header(of: edits[hunk])] + edits[hunk].map { "\($0.mark)\($0.line)" }
    }
  }

  private func header(of hunk: ArraySlice<Edit>) -> String {
    let old = side(hunk.first?.oldIndex ?? 0, count: hunk.count { $0.mark != "+" })
    let new = side(hunk.first?.newIndex ?? 0, count: hunk.count { $0.mark != "-" })
    return "@@ -\(old) +\(new) @@"
  }

  /// A side without lines names the line before it: that is what `patch` expects.
  private func side(_ start: Int, count: Int) -> String {
    "\(count == 0 ? start : start + 1),\(count)"
  }
}
