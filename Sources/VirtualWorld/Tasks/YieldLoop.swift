/// A test that calls `Task.yield()` in a loop until something is true.
///
/// Such a loop would keep time from moving. So after many turns in which nothing else happened, the
/// next part of the test is parked. The world then does what's due next, and lets the test go on.
struct YieldLoop {
  /// A test that yields so often while nothing else happens waits for something.
  private static let mostYields = 2_000
  /// How often it yields when it goes on. By then, it's known that it waits.
  private static let yieldsOfTurn = 100

  /// Whether the test is about to be made ready again by a yield.
  private var isYielding = false
  /// How often it has yielded since something else happened.
  private var yields = 0
  /// The step of the clock at the last yield; `nil` if another task has gone on since.
  private var step: Int?
  /// How many loops have begun, and whether the present one is the last of them.
  private var (number, hasNumber) = (0, false)
  private var parked: (part: TaskPart, known: WorldTasks.Known)?

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

  /// - Parameter step: The present step of the clock.
  mutating func countYield(at step: Int) {
    if step != self.step { (self.step, yields, hasNumber) = (step, 0, false) }
    yields += 1
  }

  /// Notes that another task goes on, or that a thread outside resumes one.
  mutating func noteOther() { step = nil }

  /// Parks the next part of the test after a yield, if it has yielded often enough.
  ///
  /// - Returns: Whether it's parked.
  mutating func park(_ part: TaskPart, _ known: WorldTasks.Known) -> Bool {
    guard yields >= Self.mostYields else { return false }
    if !hasNumber { number += 1 }
    (parked, hasNumber) = ((part, known), true)
    return true
  }

  /// Lets a parked test go on.
  ///
  /// - Parameter step: The present step of the clock, if it goes on only after something has
  ///   happened.
  /// - Returns: Its next part; `nil` if it stays parked, or isn't.
  mutating func unpark(at step: Int? = nil) -> (part: TaskPart, known: WorldTasks.Known)? {
    if let step {
      if step == self.step { return nil }
      (self.step, hasNumber) = (step, false)
    }
    yields = Self.mostYields - Self.yieldsOfTurn
    return parked.take()
  }
}
