/// The difference of two texts, line by line, in the format that `diff -u` prints and `patch`
/// reads.
///
/// Lines are compared byte for byte. So two encodings of `é` differ, as they do in a file.
package struct UnifiedDiff {
  /// The first line that differs, counted from one. A side is `nil` if its text has ended.
  package struct Divergence: Equatable {
    package let line: Int
    package let old: String?
    package let new: String?

    /// Makes a divergence for a test to compare with.
    package init(line: Int, old: String?, new: String?) {
      self.line = line
      self.old = old
      self.new = new
    }
  }

  private let old: [Substring]
  private let new: [Substring]

  /// Prepares to compare two texts.
  package init(old: String, new: String) {
    self.old = Self.lines(of: old)
    self.new = Self.lines(of: new)
  }

  /// Prepares to compare two lists of lines, which have no newlines at their ends.
  package init(oldLines: [String], newLines: [String]) {
    old = oldLines.map { "\($0)\n" }
    new = newLines.map { "\($0)\n" }
  }

  /// The first line that differs, or `nil` if the texts are equal.
  package var firstDivergence: Divergence? {
    let common = zip(old, new).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    guard common < max(old.count, new.count) else { return nil }
    return Divergence(
      line: common + 1,
      old: common < old.count ? String(old[common]) : nil,
      new: common < new.count ? String(new[common]) : nil)
  }

  /// The number of lines on the longer side.
  package var lineCount: Int { max(old.count, new.count) }

  /// The lines of all hunks, each hunk with its `@@` line. Empty if the texts are equal.
  ///
  /// The time for this grows with lines times changes.
  package func lines(context: Int = 3) -> [String] {
    Self.hunks(of: edits(), context: context).flatMap { hunk in
      [hunk.header] + hunk.edits.flatMap(\.lines)
    }
  }

  /// All lines of both texts, as edits that turn the old text into the new one.
  private func edits() -> [Edit] {
    let difference = new.difference(from: old) { $0.utf8.elementsEqual($1.utf8) }
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var edits: [Edit] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if removed.contains(i) {
        edits.append(Edit(mark: "-", line: old[i], oldIndex: i, newIndex: j))
        i += 1
      } else if inserted.contains(j) {
        edits.append(Edit(mark: "+", line: new[j], oldIndex: i, newIndex: j))
        j += 1
      } else {
        edits.append(Edit(mark: " ", line: old[i], oldIndex: i, newIndex: j))
        i += 1
        j += 1
      }
    }
    return edits
  }

  /// Lines with their newlines, so a missing newline at the end is a difference too.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      let newline = text.utf8[start...].firstIndex(of: UInt8(ascii: "\n"))
      let end = newline.map(text.utf8.index(after:)) ?? text.endIndex
      lines.append(text[start..<end])
      start = end
    }
    return lines
  }

  private static func hunks(of edits: [Edit], context: Int) -> [Hunk] {
    var ranges: [Range<Int>] = []
    for index in edits.indices where edits[index].mark != " " {
      let range = max(0, index - context)..<min(edits.count, index + context + 1)
      if let last = ranges.last, last.upperBound >= range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.map { Hunk(edits: edits[$0]) }
  }
}

/// A line that is kept, removed or inserted, with its index on either side.
private struct Edit {
  let mark: Character
  let line: Substring
  let oldIndex: Int
  let newIndex: Int

  var lines: [String] {
    line.utf8.last == UInt8(ascii: "\n")
      ? ["\(mark)\(String(decoding: line.utf8.dropLast(), as: UTF8.self))"]
      : ["\(mark)\(line)", "\\ No newline at end of file"]
  }
}

private struct Hunk {
  let edits: ArraySlice<Edit>

  var header: String {
    let old = side(edits.first?.oldIndex, count: edits.count { $0.mark != "+" })
    let new = side(edits.first?.newIndex, count: edits.count { $0.mark != "-" })
    return "@@ -\(old) +\(new) @@"
  }

  /// The range of a side. A side without lines names the line before it, as `patch` expects.
  private func side(_ start: Int?, count: Int) -> String {
    "\((start ?? 0) + (count == 0 ? 0 : 1)),\(count)"
  }
}
