/// An object that has a place in a ``SlotList``.
@usableFromInline
class Slotted {
  /// Its index in the list; `nowhere` if it isn't in one. Changes only with the list.
  @exclusivity(unchecked)
  @usableFromInline
  final var slot = nowhere

  @inlinable
  static var nowhere: Int { -1 }

  @inlinable
  init() {}
}

/// A list of objects in the order in which they came. Each knows its place, so removing one needs
/// no search.
///
/// Adding and removing cost constant time on average. A removal leaves a hole, and ``closeHoles()``
/// moves the other objects up only once more than half of the places are holes. A loop by index
/// needs no copy and no retaining: while it runs, the list may grow and get holes, but no object
/// moves. So call ``closeHoles()`` only outside all loops.
///
/// The list retains its objects. It isn't synchronised: its owner says which lock or gate guards
/// it.
@usableFromInline
struct SlotList<Element: Slotted>: ~Copyable {
  @usableFromInline
  var places = UnsafeMutablePointer<Unmanaged<Element>?>.allocate(capacity: 4)

  /// The number of places in use, holes included. Loops end here.
  @usableFromInline
  var end = 0

  @usableFromInline
  var holes = 0

  @usableFromInline
  var capacity = 4

  @inlinable
  init() {}

  @inlinable
  deinit {
    for index in 0..<end { places[index]?.release() }
    places.deallocate()
  }

  /// The object at a place, which isn't retained; `nil` for a hole.
  @inlinable
  subscript(index: Int) -> Unmanaged<Element>? { places[index] }

  /// Adds an object at the end.
  @inlinable
  mutating func append(_ element: Element) {
    if end == capacity { move(toCapacity: 2 * capacity) }
    places[end] = .passRetained(element)
    element.slot = end
    end += 1
  }

  /// Takes an object out, and leaves a hole.
  ///
  /// - Returns: The object, which the caller releases.
  @inlinable
  mutating func remove(_ element: Element) -> Unmanaged<Element>? {
    guard element.slot >= 0, let removed = places[element.slot] else { return nil }
    places[element.slot] = nil
    element.slot = Slotted.nowhere
    holes += 1
    return removed
  }

  /// Closes the holes if they make up more than half of the places. Call it only outside all loops
  /// over the list.
  @inlinable
  mutating func closeHoles() {
    guard 2 * holes > end else { return }
    var kept = 0
    for index in 0..<end {
      guard let element = places[index] else { continue }
      places[kept] = element
      element._withUnsafeGuaranteedRef { $0.slot = kept }
      kept += 1
    }
    end = kept
    holes = 0
    // A list that was long for a while gives its memory back.
    if capacity > 64, 8 * end < capacity { move(toCapacity: capacity / 4) }
  }

  @usableFromInline
  mutating func move(toCapacity newCapacity: Int) {
    let newPlaces = UnsafeMutablePointer<Unmanaged<Element>?>.allocate(capacity: newCapacity)
    newPlaces.moveInitialize(from: places, count: end)
    places.deallocate()
    places = newPlaces
    capacity = newCapacity
  }
}
