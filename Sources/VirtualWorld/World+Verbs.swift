import VirtualTime

/// The calls that move time. They do the same as those of the clock.
extension World {
  /// Moves time by an interval, and runs all work that comes due. See
  /// `VirtualTimeScheduler.advance(by:)`.
  public func advance(by interval: VirtualTime.Interval = .zero) {
    enter { clock.advance(by: interval) }
  }

  /// Moves time to a moment, and runs all work that comes due. See
  /// `VirtualTimeScheduler.advance(to:)`.
  public func advance(to date: VirtualTime) { enter { clock.advance(to: date) } }

  /// Runs until no foreground work is left. See `VirtualTimeScheduler.run()`.
  public func run() { enter { clock.run() } }

  /// Runs all work due up to and including a moment. See `VirtualTimeScheduler.run(until:)`.
  public func run(until date: VirtualTime) { enter { clock.run(until: date) } }

  /// Runs as long as a condition holds. See `VirtualTimeScheduler.run(while:)`.
  public func run(while condition: () -> Bool) { enter { clock.run(while: condition) } }

  /// Runs the next action, and moves the clock there. See `VirtualTimeScheduler.step()`.
  ///
  /// - Returns: The trace entry of the action; `nil` if nothing will come due.
  @discardableResult public func step() -> TraceEntry? { enter { clock.step() } }

  /// Finishes all work of this instant without moving the clock: requests start, and work that was
  /// sent to queues runs. See `VirtualTimeScheduler.settle()`.
  public func settle() { enter { clock.settle() } }
}
