/// The closures that loops and streams both call, out of reach of the optimiser.
///
/// They are made by functions that are never inlined, so that a call is a call on either side.
enum Closures {
  /// Keeps what the last closure of a chain sees, so that nothing is optimised away.
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
  static func add() -> (Int) -> Void { { total &+= $0 } }
}
