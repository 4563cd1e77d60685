/// The due times of scheduled work, the earliest first.
///
/// Four children a node: half as many levels as with two, and the four fill one cache line.
struct WorkHeap {
  /// When some work is due, and where it is kept.
  struct Entry {
    let due: VirtualTime
    let place: WorkPlace

    /// Compares both parts as one number, which takes no branch that could be guessed wrongly.
    private var key: Int128 {
      Int128(due.nanoseconds) << 64 | Int128(place.rawValue)
    }

    @inline(__always)
    static func < (lhs: Entry, rhs: Entry) -> Bool { lhs.key < rhs.key }
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
      let child = hole * 4 + 1
      var least = child
      if child + 3 < entries.count {
        // A small tournament: the first two comparisons do not wait for each other.
        let left = entries[child + 1] < entries[child] ? child + 1 : child
        let right = entries[child + 3] < entries[child + 2] ? child + 3 : child + 2
        least = entries[right] < entries[left] ? right : left
      } else {
        guard child < entries.count else { break }
        for other in child..<entries.count where entries[other] < entries[least] { least = other }
      }
      guard entries[least] < entry else { break }
      entries[hole] = entries[least]
      hole = least
    }
    entries[hole] = entry
  }
}

/// A place in the order of one instant and, for the heap's sake, the slot the work is kept in.
///
/// From the highest bit: whether it is *no* scripted cancellation, for those come first; the number
/// of the work; its slot. Numbers differ, so the slot decides nothing.
struct WorkPlace: Equatable {
  let rawValue: UInt64

  init(number: UInt64, isCancellation: Bool, slot: Int) {
    precondition(number < Self.numberEnd && slot < Self.slotEnd, "there is too much work")
    rawValue = (isCancellation ? 0 : 1) << 63 | number << Self.slotBits | UInt64(slot)
  }

  var number: UInt64 { (rawValue >> Self.slotBits) & (Self.numberEnd - 1) }
  var slot: Int { Int(rawValue & UInt64(Self.slotEnd - 1)) }

  /// Enough for 16 million at a time, and for 500 thousand million in all.
  private static let slotBits: UInt64 = 24
  private static let slotEnd = 1 << 24
  private static let numberEnd: UInt64 = 1 << 39
}
