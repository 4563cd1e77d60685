/// Something that a stage remembers from one value to the next.
///
/// Touched only where upstream delivers, which it does one at a time. A delivery from within
/// another nests: so it is never touched across a call of the user's, and that a read or a write is
/// whole is all that the compiler need not check.
@usableFromInline
final class Memory<Value> {
  @exclusivity(unchecked)
  @usableFromInline
  var value: Value

  @inlinable
  init(_ value: Value) { self.value = value }

  /// Remembers another value.
  ///
  /// - Returns: The one that was remembered.
  @inlinable
  func exchange(with new: Value) -> Value {
    let old = value
    value = new
    return old
  }
}
