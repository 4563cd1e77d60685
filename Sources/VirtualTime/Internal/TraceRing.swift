/// The last entries of a trace, the oldest being overwritten.
struct TraceRing {
  private let capacity: Int
  private var entries: [TraceEntry] = []
  private var count = 0

  /// Where the next entry goes; an index of its own, for a division on each action can be felt.
  private var end = 0

  /// Makes a ring that keeps at least what guards quote.
  init(capacity: Int) { self.capacity = max(capacity, 5) }

  mutating func append(_ entry: consuming TraceEntry) {
    if end < entries.count {
      entries[end] = entry
    } else {
      entries.append(entry)
    }
    end = end + 1 == capacity ? 0 : end + 1
    count += 1
  }

  /// The last entries, the oldest first.
  func last(_ length: Int) -> [TraceEntry] {
    (max(0, count - min(length, entries.count))..<count).map { entries[$0 % entries.count] }
  }

  var trace: Trace {
    Trace(entries: last(entries.count), forgottenCount: count - entries.count)
  }
}
