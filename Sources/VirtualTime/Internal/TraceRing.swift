/// The last entries of a trace: a ring buffer that overwrites the oldest entry.
struct TraceRing {
  private let capacity: Int
  private var entries: [TraceEntry] = []
  private var count = 0

  /// Where the next entry goes, in a separate index: computing it from the count would cost a
  /// noticeable division for each action.
  private var end = 0

  /// Makes a ring that keeps at least five entries, because guards quote five.
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
