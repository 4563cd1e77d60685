/// Looks for the greatest value in an order, for `min`, `max` and their relatives. Of equal values,
/// it keeps the first.
@usableFromInline struct Extreme<Input, Thrown: Error>: Reduction {
  @usableFromInline typealias Output = Input
  @usableFromInline let areInIncreasingOrder: (Input, Input) throws(Thrown) -> Bool

  @inlinable
  init(_ areInIncreasingOrder: @escaping (Input, Input) throws(Thrown) -> Bool) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  @inlinable var initial: Input? { nil }

  @inlinable @inline(__always)
  func take(_ input: Input, into accumulated: Memory<Input?>) throws(Thrown) -> Bool {
    guard let greatest = accumulated.value else {
      accumulated.value = input
      return false
    }
    if try areInIncreasingOrder(greatest, input) { accumulated.value = input }
    return false
  }

  @inlinable func result(of accumulated: Input?) -> Input? { accumulated }
}
