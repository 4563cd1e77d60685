/// Looks for the first value that passes a test: `first` and its relatives.
@usableFromInline struct FirstMatch<Input, Thrown: Error>: Reduction {
  @usableFromInline typealias Output = Input
  @usableFromInline let predicate: (Input) throws(Thrown) -> Bool

  @inlinable
  init(_ predicate: @escaping (Input) throws(Thrown) -> Bool) { self.predicate = predicate }

  @inlinable var initial: Input? { nil }

  @inlinable @inline(__always)
  func take(_ input: Input, into accumulated: Memory<Input?>) throws(Thrown) -> Bool {
    guard try predicate(input) else { return false }
    accumulated.value = input
    return true
  }

  @inlinable func result(of accumulated: Input?) -> Input? { accumulated }
}

/// Looks for the last value that passes a test: `last` and its relatives.
@usableFromInline struct LastMatch<Input, Thrown: Error>: Reduction {
  @usableFromInline typealias Output = Input
  @usableFromInline let predicate: (Input) throws(Thrown) -> Bool

  @inlinable
  init(_ predicate: @escaping (Input) throws(Thrown) -> Bool) { self.predicate = predicate }

  @inlinable var initial: Input? { nil }

  @inlinable @inline(__always)
  func take(_ input: Input, into accumulated: Memory<Input?>) throws(Thrown) -> Bool {
    if try predicate(input) { accumulated.value = input }
    return false
  }

  @inlinable func result(of accumulated: Input?) -> Input? { accumulated }
}
