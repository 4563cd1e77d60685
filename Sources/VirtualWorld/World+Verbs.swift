import VirtualTime

/// The calls that move time. They do the same as those of the clock.
extension World {
  /// Moves time by an interval, and runs all work that comes due. See
  /// `VirtualTimeScheduler.advance(by:limit:)`.
  public func advance(by interval: VirtualTime.Interval = .zero, limit: Int? = nil) {
    enter { clock.advance(by: interval, limit: limit) }
  }

  /// Moves time to a moment, and runs all work that comes due. See
  /// `VirtualTimeScheduler.advance(to:limit:)`.
  public func advance(to date: VirtualTime, limit: Int? = nil) {
    enter { clock.advance(to: date, limit: limit) }
  }

  /// Runs until no foreground work is left. See `VirtualTimeScheduler.run(limit:)`.
  public func run(limit: Int? = nil) { enter { clock.run(limit: limit) } }

  /// Runs all work due up to and including a moment. See `VirtualTimeScheduler.run(until:limit:)`.
  public func run(until date: VirtualTime, limit: Int? = nil) {
    enter { clock.run(until: date, limit: limit) }
  }

  /// Runs as long as a condition holds. See `VirtualTimeScheduler.run(while:limit:)`.
  public func run(while condition: () -> Bool, limit: Int? = nil) {
    enter { clock.run(while: condition, limit: limit) }
  }

  /// Runs the next action, and moves the clock there. See `VirtualTimeScheduler.step()`.
  ///
  /// - Returns: The trace entry of the action; `nil` if nothing will come due.
  @discardableResult public func step() -> TraceEntry? { enter { clock.step() } }

  /// Finishes all work of this instant without moving the clock: requests start, and work that was
  /// sent to queues runs. See `VirtualTimeScheduler.settle()`.
  public func settle() { enter { clock.settle() } }
}
