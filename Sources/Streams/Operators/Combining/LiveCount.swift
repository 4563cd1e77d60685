import Synchronization

/// The number of a junction's publishers that haven't finished, and whether more may come.
@usableFromInline
struct LiveCount: ~Copyable, Sendable {
  // The lowest bit says whether more may come; above it is the count.
  @usableFromInline
  let word = Atomic<Int>(LiveCount.isOpen)

  @inlinable
  init() {}

  @inlinable
  static var isOpen: Int { 1 }

  @inlinable
  static var one: Int { 2 }

  /// Whether all have finished, and no more may come.
  @inlinable
  var isZero: Bool { word.load(ordering: .acquiring) == 0 }

  /// Allows no more publishers to come.
  ///
  /// - Returns: Whether none is left.
  @inlinable
  func close() -> Bool {
    word.bitwiseAnd(~Self.isOpen, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Counts a publisher that comes, if more may come.
  ///
  /// - Returns: Whether it was counted.
  @inlinable
  func enter() -> Bool {
    guard word.load(ordering: .relaxed) & Self.isOpen != 0 else { return false }
    word.add(Self.one, ordering: .relaxed)
    return true
  }

  /// Subtracts a publisher that has finished.
  ///
  /// - Returns: Whether none is left, and no more may come.
  @inlinable
  func leave() -> Bool {
    word.subtract(Self.one, ordering: .acquiringAndReleasing).newValue == 0
  }
}
