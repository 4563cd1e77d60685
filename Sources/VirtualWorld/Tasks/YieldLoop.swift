import VirtualTime

/// A test that calls `Task.yield()` in a loop until something is true.
///
/// Such a loop would keep time from moving. So after many turns at one instant in which no other
/// task ran, the next part of the test is parked. The world then does what's due next, and lets the
/// test go on.
struct YieldLoop {
  /// A test that yields so often, while time doesn't move and no other task runs, waits for
  /// something.
  private static let mostYields = 2_000
  /// How often it yields when it goes on. By then, it's known that it waits.
  private static let yieldsOfTurn = 100
  /// How often it goes on at one instant. A loop may cause itself what it looks for each time.
  private static let mostTurns = 50

  /// Whether the test is about to be made ready again by a yield.
  private var isYielding = false
  /// How often it has yielded, and at which instant; `nil` if another task has gone on since.
  private var (yields, instant) = (0, VirtualTime?.none)
  /// The number of the last loop, and whether the test is still in it.
  private var (number, isInLoop) = (0, false)
  private var parked: (part: TaskPart, known: WorldTasks.Known)?
  /// The step of the clock when it was parked; `nil` if others had to go first.
  private var stepOfParking: Int?
  /// When it went on last, and how often at that instant.
  private var (instantOfTurn, turns) = (VirtualTime?.none, 0)

  /// The number of the loop in which the test is parked; `nil` if it isn't.
  var parkedIn: Int? { parked == nil ? nil : number }

  /// Takes note of a part that the test has made ready. For `Task.yield()`, its task makes one that
  /// isn't its own, and that one makes the task ready again.
  ///
  /// - Parameters:
  ///   - isOfTask: Whether it's a part of the test's task.
  ///   - isByTask: Whether the task has made it ready itself.
  /// - Returns: Whether it's what comes after a yield.
  mutating func take(isOfTask: Bool, isByTask: Bool) -> Bool {
    defer { isYielding = !isOfTask && isByTask }
    return isYielding && isOfTask && !isByTask
  }

  mutating func countYield(at now: VirtualTime) {
    if now != instant { (instant, yields, isInLoop) = (now, 0, false) }
    yields += 1
  }

  /// Notes that another task goes on, or that a thread outside resumes one.
  mutating func noteOther() { instant = nil }

  /// Parks the next part of the test after a yield, if it has yielded often enough.
  ///
  /// - Parameter step: The present step of the clock; `nil` if others have to go first.
  /// - Returns: Whether it's parked.
  mutating func park(_ part: TaskPart, _ known: WorldTasks.Known, at step: Int?) -> Bool {
    guard yields >= Self.mostYields else { return false }
    if !isInLoop { number += 1 }
    (parked, isInLoop, stepOfParking) = ((part, known), true, step)
    return true
  }

  /// Whether the test is parked, and something has happened since.
  ///
  /// - Parameter step: The present step of the clock.
  func isLate(at step: Int) -> Bool {
    parked != nil && turns < Self.mostTurns && (step != stepOfParking || instant == nil)
  }

  /// Lets a parked test go on.
  ///
  /// - Parameter isLastResort: Whether nothing else was left to do.
  /// - Returns: Its next part; `nil` if it isn't parked.
  mutating func unpark(
    at now: VirtualTime, isLastResort: Bool = false
  ) -> (part: TaskPart, known: WorldTasks.Known)? {
    guard let parked = parked.take() else { return nil }
    if isLastResort || now != instantOfTurn { (instantOfTurn, turns) = (now, 0) }
    turns += 1
    if now != instant { (instant, isInLoop) = (now, false) }
    yields = Self.mostYields - Self.yieldsOfTurn
    return parked
  }
}
