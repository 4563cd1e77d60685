/// The last entries of a trace, the oldest being overwritten.
struct TraceRing {
  private let capacity: Int
  private var entries: [TraceEntry] = []
  private var count = 0

  /// Makes a ring that keeps at least what guards quote.
  init(capacity: Int) { self.capacity = max(capacity, 5) }

  mutating func append(_ entry: TraceEntry) {
    if entries.count < capacity {
      entries.append(entry)
    } else {
      entries[count % capacity] = entry
    }
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
