/// Asks whether any value passes a test, or whether all do: `contains`, `allSatisfy` and their
/// relatives.
@usableFromInline struct Quantifier<Input, Thrown: Error>: Reduction {
  /// The answer of the test that settles the result, and is the result: `true` for "any value",
  /// `false` for "all values".
  @usableFromInline let settling: Bool
  @usableFromInline let predicate: (Input) throws(Thrown) -> Bool

  @inlinable
  init(settlingOn answer: Bool, _ predicate: @escaping (Input) throws(Thrown) -> Bool) {
    settling = answer
    self.predicate = predicate
  }

  @inlinable var initial: Bool { !settling }

  @inlinable @inline(__always)
  func take(_ input: Input, into accumulated: Memory<Bool>) throws(Thrown) -> Bool {
    guard try predicate(input) == settling else { return false }
    accumulated.value = settling
    return true
  }

  @inlinable func result(of accumulated: Bool) -> Bool? { accumulated }
}
