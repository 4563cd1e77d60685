/// Memory for one value that is filled and emptied by hand. A source keeps in it what it needs
/// later.
///
/// A stored optional would work too, but destroying it is slow: the `deinit` of a generic class
/// looks up the metadata of an optional of a generic type each time. That takes longer than
/// everything else a short subscription does. The owner empties the storage, in its `deinit` at the
/// latest.
@usableFromInline struct ManualStorage<Value> {
  @usableFromInline var place: UnsafeMutablePointer<Value>?

  @inlinable init() {}

  /// Stores a value. The storage has to be empty.
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
