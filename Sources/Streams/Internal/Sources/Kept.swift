/// A place in a source for what it needs only if values do not come at once.
///
/// In its place a stored optional of a generic type would do, but for its end: each `deinit` looks
/// up the metadata of such a type, which takes longer than all else that a subscription does.
@usableFromInline
struct Kept<Value> {
  @usableFromInline
  var place: UnsafeMutablePointer<Value>?

  @inlinable
  init() {}

  /// Fills the place, which is empty.
  @inlinable
  mutating func keep(_ value: consuming Value) {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: value)
    self.place = place
  }

  /// Empties the place.
  @inlinable
  mutating func release() {
    guard let place else { return }
    self.place = nil
    place.deinitialize(count: 1)
    place.deallocate()
  }
}
