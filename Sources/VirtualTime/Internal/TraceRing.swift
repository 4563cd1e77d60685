/// The last entries of a trace, the oldest being overwritten.
struct TraceRing {
  private let capacity: Int
  private var entries: [TraceEntry] = []
  private var count = 0

  init(capacity: Int) { self.capacity = capacity }

  mutating func append(_ entry: TraceEntry) {
    if entries.count < capacity {
      entries.append(entry)
    } else if capacity > 0 {
      entries[count % capacity] = entry
    }
    count += 1
  }

  var trace: Trace {
    let oldest = entries.isEmpty ? 0 : count % entries.count
    return Trace(
      entries: Array(entries[oldest...] + entries[..<oldest]),
      forgottenCount: count - entries.count)
  }
}
