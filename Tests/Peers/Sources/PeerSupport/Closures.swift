/// The closures that loops and chains call. Functions that are never inlined make them, so each
/// call remains a real call everywhere.
public enum Closures {
  /// The sum of all values at the end of a chain, so the optimiser can't remove the work.
  nonisolated(unsafe) public static var total = 0

  @inline(never) public static func triple() -> (Int) -> Int { { $0 &* 3 } }

  @inline(never) public static func isNotMultipleOfFour() -> (Int) -> Bool { { $0 & 3 != 0 } }

  @inline(never) public static func increment() -> (Int) -> Int { { $0 &+ 1 } }

  @inline(never) public static func sum() -> (Int, Int) -> Int { { $0 &+ $1 } }

  @inline(never) public static func isEqual() -> (Int, Int) -> Bool { { $0 == $1 } }

  @inline(never) public static func isLess() -> (Int, Int) -> Bool { { $0 < $1 } }

  @inline(never) public static func never() -> (Int) -> Bool { { $0 < 0 } }

  @inline(never) public static func always() -> (Int) -> Bool { { $0 >= 0 } }

  @inline(never) public static func optional() -> (Int) -> Int? { { $0 & 3 == 0 ? nil : $0 } }

  @inline(never) public static func add() -> (Int) -> Void { { total &+= $0 } }
}
