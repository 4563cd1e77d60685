/// A value that a stage remembers from one input to the next.
///
/// Only upstream's deliveries touch it, and upstream delivers one value at a time. But a delivery
/// can nest in another one, so an access never spans a call of user code. That makes every access
/// complete in itself, and the compiler's exclusivity check can be left out.
@usableFromInline final class Memory<Value> {
  @exclusivity(unchecked) @usableFromInline var value: Value

  @inlinable init(_ value: Value) { self.value = value }

  /// Stores a new value.
  ///
  /// - Returns: The old value.
  @inlinable
  func exchange(with new: Value) -> Value {
    let old = value
    value = new
    return old
  }
}
