/// The due times of scheduled work, the earliest first.
///
/// Four children a node: half as many levels as a binary heap, and the four lie beside each other in
/// memory.
struct WorkHeap {
  /// When some work is due, and where it is kept.
  struct Entry {
    let due: VirtualTime
    /// Decides between entries of one moment.
    let rank: UInt64
    /// Where the work is kept.
    let slot: UInt32

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.due == rhs.due ? lhs.rank < rhs.rank : lhs.due < rhs.due
    }
  }

  private(set) var entries: [Entry] = []

  var count: Int { entries.count }
  var first: Entry? { entries.first }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    entries.withUnsafeMutableBufferPointer { Self.siftUp(entry, from: $0.count - 1, in: $0) }
  }

  mutating func removeFirst() {
    guard let last = entries.popLast(), !entries.isEmpty else { return }
    replaceFirst(with: last)
  }

  mutating func replaceFirst(with entry: Entry) {
    entries.withUnsafeMutableBufferPointer { Self.siftDown(entry, from: 0, in: $0) }
  }

  /// Removes all entries that do not pass, in time proportional to the count.
  mutating func keep(where isKept: (Entry) -> Bool) {
    entries.removeAll { !isKept($0) }
    guard entries.count > 1 else { return }
    entries.withUnsafeMutableBufferPointer { entries in
      for parent in stride(from: (entries.count - 2) / 4, through: 0, by: -1) {
        Self.siftDown(entries[parent], from: parent, in: entries)
      }
    }
  }

  // Both move a hole rather than swap: one store a level.

  private static func siftUp(
    _ entry: Entry, from start: Int, in entries: UnsafeMutableBufferPointer<Entry>
  ) {
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) / 4
      guard entry < entries[parent] else { break }
      entries[hole] = entries[parent]
      hole = parent
    }
    entries[hole] = entry
  }

  private static func siftDown(
    _ entry: Entry, from start: Int, in entries: UnsafeMutableBufferPointer<Entry>
  ) {
    var hole = start
    while true {
      let firstChild = hole * 4 + 1
      guard firstChild < entries.count else { break }
      var least = firstChild
      for child in firstChild + 1..<max(firstChild + 1, min(firstChild + 4, entries.count))
      where entries[child] < entries[least] {
        least = child
      }
      guard entries[least] < entry else { break }
      entries[hole] = entries[least]
      hole = least
    }
    entries[hole] = entry
  }
}
