/// The due times of scheduled work, the earliest first: a radix heap.
///
/// Time never goes back, so no due time is earlier than `base`, the last time taken. Later times go
/// into buckets by the highest bit in which they differ from the base: the lower the bucket, the
/// earlier. When all lower buckets are empty, a bucket is spread over them, and its earliest time
/// becomes the new base. An entry only moves down, about ten times in its life, and entries are
/// read and written in memory order. A binary heap with a million entries mostly waits for memory
/// instead.
///
/// When the first entry of a bucket turns out to be a leftover of cancelled work, all leftovers in
/// the bucket are removed at once.
///
/// Entries of one moment are always in one bucket, in the order in which they were inserted.
/// Spreading keeps that order.
struct WorkHeap {
  /// When some work is due, and where it is kept.
  struct Entry {
    let due: VirtualTime
    let place: WorkPlace

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.due == rhs.due ? lhs.place.rawValue < rhs.place.rawValue : lhs.due < rhs.due
    }
  }

  /// Entries whose due times first differ from the base in the same bit.
  private struct Bucket {
    var entries: [Entry] = []
    /// The earliest of them, stored so that looking at it doesn't spread the bucket.
    var first: Entry?

    mutating func append(_ entry: Entry) {
      entries.append(entry)
      if let first, first < entry { return }
      first = entry
    }
  }

  /// Entries that are due at the base, in their order.
  private struct Line {
    private(set) var entries: [Entry] = []
    private var start = 0

    var waiting: ArraySlice<Entry> { entries[start...] }
    var first: Entry? { start < entries.count ? entries[start] : nil }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func removeFirst() {
      // The usual case is one entry at an instant: keep it fast.
      if entries.count == 1 {
        entries.removeLast()
        return
      }
      start += 1
      guard start == entries.count else { return }
      entries.removeAll(keepingCapacity: entries.capacity <= largestKeptCapacity)
      start = 0
    }

    /// Removes one entry.
    mutating func remove(_ place: WorkPlace) {
      _ = keep { $0.place != place }
    }

    /// Removes all entries that don't pass, and returns how many it removed.
    mutating func keep(where isKept: (Entry) -> Bool) -> Int {
      let count = waiting.count
      entries = waiting.filter(isKept)
      start = 0
      return count - entries.count
    }
  }

  private(set) var count = 0
  private var base: VirtualTime
  private var cancellations = Line()
  private var others = Line()

  /// The buckets: an entry's bucket is the highest bit in which its due time differs from the base.
  private var buckets = Array(repeating: Bucket(), count: 64)

  /// A bit set of the buckets that have entries.
  private var occupied: UInt64 = 0

  /// Makes an empty heap for due times that aren't earlier than a moment.
  init(from base: VirtualTime) { self.base = base }

  /// All entries, in no particular order.
  var entries: [Entry] {
    Array(cancellations.waiting) + Array(others.waiting) + buckets.flatMap(\.entries)
  }

  mutating func insert(_ entry: Entry) {
    count += 1
    put(entry)
  }

  /// The first entry.
  var first: Entry? {
    if let entry = cancellations.first ?? others.first { return entry }
    return occupied == 0 ? nil : buckets[occupied.trailingZeroBitCount].first
  }

  /// Removes the first entry. From now on no due time may be earlier.
  mutating func removeFirst() {
    if cancellations.first == nil, others.first == nil { spread() }
    count -= 1
    if cancellations.first == nil { others.removeFirst() } else { cancellations.removeFirst() }
  }

  /// The entries of the first moment, in their order. From now on no due time may be earlier.
  mutating func entriesOfFirstMoment() -> [Entry] {
    if cancellations.first == nil, others.first == nil, occupied != 0 { spread() }
    return Array(cancellations.waiting + others.waiting)
  }

  /// Whether work of the first moment has a place.
  func hasAtFirstMoment(_ place: WorkPlace) -> Bool {
    (place.isCancellation ? cancellations : others).waiting.contains { $0.place == place }
  }

  /// Removes an entry of the first moment.
  mutating func remove(_ entry: Entry) {
    count -= 1
    if entry.place.isCancellation {
      cancellations.remove(entry.place)
    } else {
      others.remove(entry.place)
    }
  }

  /// Removes the entries that don't pass from the lines or the bucket where the first entry is. The
  /// first entry must be among those removed.
  ///
  /// Removing the first alone would make its time the base, and the clock may never reach that
  /// time.
  mutating func keepFirst(where isKept: (Entry) -> Bool) {
    if cancellations.first != nil || others.first != nil {
      count -= cancellations.keep(where: isKept) + others.keep(where: isKept)
    } else if occupied != 0 {
      keep(in: occupied.trailingZeroBitCount, where: isKept)
    }
  }

  /// Removes all entries that don't pass, in time proportional to the count.
  mutating func keep(where isKept: (Entry) -> Bool) {
    count -= cancellations.keep(where: isKept) + others.keep(where: isKept)
    for index in buckets.indices { keep(in: index, where: isKept) }
  }

  private mutating func put(_ entry: Entry) {
    precondition(entry.due >= base, "\(entry.due) is earlier than \(base), the last time taken")
    let difference = UInt64(bitPattern: entry.due.nanoseconds ^ base.nanoseconds)
    if difference != 0 {
      let index = 63 - difference.leadingZeroBitCount
      buckets[index].append(entry)
      occupied |= 1 << UInt64(index)
    } else if entry.place.isCancellation {
      cancellations.append(entry)
    } else {
      others.append(entry)
    }
  }

  private mutating func spread() {
    precondition(occupied != 0, "the heap has no work to take")
    let index = occupied.trailingZeroBitCount
    guard let first = buckets[index].first.take() else {
      preconditionFailure("bucket \(index) counts as occupied, but is empty")
    }
    occupied &= ~(1 << UInt64(index))
    base = first.due
    if buckets[index].entries.count == 1 {
      buckets[index].entries.removeLast()
      put(first)
      return
    }
    var entries: [Entry] = []
    swap(&entries, &buckets[index].entries)
    entries.withUnsafeBufferPointer { for entry in $0 { put(entry) } }
    guard entries.capacity <= largestKeptCapacity else { return }
    entries.removeAll(keepingCapacity: true)
    swap(&entries, &buckets[index].entries)
  }

  private mutating func keep(in index: Int, where isKept: (Entry) -> Bool) {
    let entries = buckets[index].entries.filter(isKept)
    count -= buckets[index].entries.count - entries.count
    buckets[index] = Bucket(entries: entries, first: entries.min(by: <))
    if entries.isEmpty { occupied &= ~(1 << UInt64(index)) }
  }
}

/// An empty list keeps its memory up to this capacity. So a few timers need no new memory, and many
/// entries don't hold memory twice.
private let largestKeptCapacity = 256

/// A place in the order of one instant, together with the slot that holds the work.
///
/// From the highest bit: 0 for a scripted cancellation and 1 for other work, because cancellations
/// come first; the number of the work; its slot. Numbers differ, so the slot never affects the
/// order.
struct WorkPlace: Equatable {
  let rawValue: UInt64

  /// A place that no work has, because numbers start at 1.
  static let none = WorkPlace(number: 0, isCancellation: true, slot: 0)

  init(number: UInt64, isCancellation: Bool, slot: Int) {
    precondition(
      number < Self.numberEnd && slot < Self.slotEnd,
      "too much work: a scheduler holds \(Self.slotEnd) actions at a time, and numbers "
        + "\(Self.numberEnd - 1) in all")
    rawValue = (isCancellation ? 0 : 1) << 63 | number << Self.slotBits | UInt64(slot)
  }

  var isCancellation: Bool { rawValue >> 63 == 0 }
  var number: UInt64 { (rawValue >> Self.slotBits) & (Self.numberEnd - 1) }
  var slot: Int { Int(rawValue & UInt64(Self.slotEnd - 1)) }

  /// Enough for 16 million actions at a time, and for 500 billion in all.
  private static let slotBits: UInt64 = 24
  private static let slotEnd = 1 << 24
  private static let numberEnd: UInt64 = 1 << 39
}
