/// The due times of scheduled work, the earliest first: a radix heap.
///
/// Time never goes back, so no due time is earlier than `base`, the one taken last. The others are
/// put into buckets by the highest bit in which they differ from it: the lower the bucket, the
/// earlier. When all lower buckets are empty, a bucket is spread over them, with its earliest time
/// as the new base. An entry only ever goes down, some ten times in its life, and is read and
/// written in the order of memory: with a million entries a binary heap mostly waits for memory
/// instead.
///
/// When the first entry of a bucket turns out to be a leftover, the bucket is searched for all of
/// them at once.
///
/// Entries of one moment are always in one bucket, and in the order in which they came: spreading
/// keeps it.
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
    /// The first of them to come; kept so that looking at it does not spread the bucket.
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
      // The usual case is one entry at an instant, and need not be slow for the others' sake.
      if entries.count == 1 {
        entries.removeLast()
        return
      }
      start += 1
      guard start == entries.count else { return }
      entries.removeAll(keepingCapacity: entries.capacity <= largestKeptCapacity)
      start = 0
    }

    /// Removes all entries that do not pass, and says how many.
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

  /// The bucket at an index has the entries that first differ in the bit of that index.
  private var buckets = Array(repeating: Bucket(), count: 64)

  /// A bit is set for each bucket that has entries.
  private var occupied: UInt64 = 0

  /// Makes an empty heap for due times from a moment on.
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

  /// Removes the entries that do not pass from among the first ones; those must include the first.
  ///
  /// To take the first out alone would make its time the base, which the clock may never reach.
  mutating func keepFirst(where isKept: (Entry) -> Bool) {
    if cancellations.first != nil || others.first != nil {
      count -= cancellations.keep(where: isKept) + others.keep(where: isKept)
    } else if occupied != 0 {
      keep(in: occupied.trailingZeroBitCount, where: isKept)
    }
  }

  /// Removes all entries that do not pass, in time proportional to the count.
  mutating func keep(where isKept: (Entry) -> Bool) {
    count -= cancellations.keep(where: isKept) + others.keep(where: isKept)
    for index in buckets.indices { keep(in: index, where: isKept) }
  }

  private mutating func put(_ entry: Entry) {
    precondition(entry.due >= base, "\(entry.due) is earlier than \(base), which was taken")
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
    precondition(occupied != 0, "there is no work to take")
    let index = occupied.trailingZeroBitCount
    guard let first = buckets[index].first.take() else { preconditionFailure("an empty bucket") }
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

/// Up to this many entries the memory of a list is kept when it becomes empty: few timers need no
/// new memory, and many entries do not hold memory twice.
private let largestKeptCapacity = 256

/// A place in the order of one instant and, for the heap's sake, the slot the work is kept in.
///
/// From the highest bit: whether it is *no* scripted cancellation, for those come first; the number
/// of the work; its slot. Numbers differ, so the slot decides nothing.
struct WorkPlace: Equatable {
  let rawValue: UInt64

  /// No work has this place: numbers start at 1.
  static let none = WorkPlace(number: 0, isCancellation: true, slot: 0)

  init(number: UInt64, isCancellation: Bool, slot: Int) {
    precondition(number < Self.numberEnd && slot < Self.slotEnd, "there is too much work")
    rawValue = (isCancellation ? 0 : 1) << 63 | number << Self.slotBits | UInt64(slot)
  }

  var isCancellation: Bool { rawValue >> 63 == 0 }
  var number: UInt64 { (rawValue >> Self.slotBits) & (Self.numberEnd - 1) }
  var slot: Int { Int(rawValue & UInt64(Self.slotEnd - 1)) }

  /// Enough for 16 million at a time, and for 500 thousand million in all.
  private static let slotBits: UInt64 = 24
  private static let slotEnd = 1 << 24
  private static let numberEnd: UInt64 = 1 << 39
}
