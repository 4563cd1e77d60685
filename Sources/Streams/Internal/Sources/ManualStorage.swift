/// Memory for one value, filled and emptied by hand: where a source keeps what it needs later.
///
/// A stored optional would do, but for its end. The `deinit` of a generic class looks up the
/// metadata of an optional of a generic type each time, which takes longer than everything else a
/// short subscription does. The owner empties it, at the latest in its `deinit`.
@usableFromInline
struct ManualStorage<Value> {
  @usableFromInline
  var place: UnsafeMutablePointer<Value>?

  @inlinable
  init() {}

  /// Stores a value. Has to be empty.
  @inlinable
  mutating func fill(_ value: consuming Value) {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: value)
    self.place = place
  }

  /// Releases the value, if there is one.
  @inlinable
  mutating func empty() {
    guard let place else { return }
    self.place = nil
    place.deinitialize(count: 1)
    place.deallocate()
  }
}
