import Synchronization

/// The number of publishers of a junction that have not finished, and whether more may come.
@usableFromInline
struct LiveCount: ~Copyable, Sendable {
  // The lowest bit says whether more may come; above it is the count.
  @usableFromInline
  let word = Atomic<Int>(0)

  @inlinable
  init() {}

  @inlinable
  static var isOpen: Int { 1 }

  @inlinable
  static var one: Int { 2 }

  /// Whether all have finished, and no more may come.
  @inlinable
  var isZero: Bool { word.load(ordering: .acquiring) == 0 }

  /// Lets publishers come.
  @inlinable
  func open() { word.store(Self.isOpen, ordering: .releasing) }

  /// Lets no more come.
  ///
  /// - Returns: Whether none is left.
  @inlinable
  func close() -> Bool {
    word.bitwiseAnd(~Self.isOpen, ordering: .acquiringAndReleasing).newValue == 0
  }

  /// Counts one that comes.
  ///
  /// - Returns: Whether it may.
  @inlinable
  func enter() -> Bool {
    guard word.load(ordering: .relaxed) & Self.isOpen != 0 else { return false }
    word.add(Self.one, ordering: .relaxed)
    return true
  }

  /// Counts one that has finished.
  ///
  /// - Returns: Whether none is left, and none may come.
  @inlinable
  func leave() -> Bool {
    word.subtract(Self.one, ordering: .acquiringAndReleasing).newValue == 0
  }
}
