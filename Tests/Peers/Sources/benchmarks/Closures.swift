/// The closures that both loops and streams call, hidden from the optimiser.
///
/// Functions that are never inlined make them, so each call remains a real call on both sides.
enum Closures {
  /// The sum of all values at the end of a chain, so the optimiser can't remove the work.
  nonisolated(unsafe) static var total = 0

  @inline(never)
  static func triple() -> (Int) -> Int { { $0 &* 3 } }

  @inline(never)
  static func isNotMultipleOfFour() -> (Int) -> Bool { { $0 & 3 != 0 } }

  @inline(never)
  static func increment() -> (Int) -> Int { { $0 &+ 1 } }

  @inline(never)
  static func sum() -> (Int, Int) -> Int { { $0 &+ $1 } }

  @inline(never)
  static func isEqual() -> (Int, Int) -> Bool { { $0 == $1 } }

  @inline(never)
  static func isNegative() -> (Int) -> Bool { { $0 < 0 } }

  @inline(never)
  static func tryIsNegative() -> (Int) throws -> Bool { { $0 < 0 } }

  @inline(never)
  static func isLess() -> (Int, Int) -> Bool { { $0 < $1 } }

  @inline(never)
  static func tryIsLess() -> (Int, Int) throws -> Bool { { $0 < $1 } }

  @inline(never)
  static func nilIfOdd() -> (Int) -> Int? { { $0 & 1 == 0 ? $0 : nil } }

  @inline(never)
  static func isEarly() -> (Int) -> Bool { { $0 < 1_000 } }

  @inline(never)
  static func add() -> (Int) -> Void { { total &+= $0 } }
}
