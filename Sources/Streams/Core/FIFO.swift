/// A queue of values: first in, first out.
///
/// The empty places at the front are removed once they make up half of all places. So a value costs
/// constant time on average, and a queue that never runs empty doesn't keep growing.
@usableFromInline struct FIFO<Element> {
  @usableFromInline var places: [Element?] = []

  // The places before `head` are empty.
  @usableFromInline var head = 0

  @inlinable init() {}

  @inlinable var isEmpty: Bool { head == places.count }
  @inlinable var count: Int { places.count - head }

  /// The value that leaves next.
  @inlinable var first: Element? { isEmpty ? nil : places[head] }

  @inlinable mutating func append(_ element: Element) { places.append(element) }

  @inlinable
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = places[head].take()
    head += 1
    if places.count == 1 {
      // The common case, handled in the cheapest way.
      places.removeLast()
      head = 0
    } else if 2 * head >= places.count {
      places.removeFirst(head)
      head = 0
    }
    return first
  }

  /// Takes out the first values, as a queue of their own. If there are fewer, takes out all.
  @inlinable
  mutating func removeFirst(_ limit: Int) -> FIFO {
    var first = FIFO()
    guard limit < count else {
      swap(&self, &first)
      return first
    }
    first.places.reserveCapacity(limit)
    for _ in 0..<limit {
      if let value = popFirst() { first.append(value) }
    }
    return first
  }

  /// Takes out all values, for the caller to release.
  @inlinable
  mutating func removeAll() -> [Element] {
    defer { self = FIFO() }
    // Not `\.self`: in code that isn't specialised, it would make a key path object each time.
    return places.compactMap { $0 }
  }
}
