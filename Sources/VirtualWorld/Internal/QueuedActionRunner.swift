import StreamsFoundation

/// Runs the actions that schedulers send, each on its own queue, one at a time.
package protocol QueuedActionRunner: Sendable {
  /// Takes an action, to run it while the clock settles.
  ///
  /// - Parameters:
  ///   - action: The action and its queue.
  ///   - enter: Runs the action in its world. Called where the action runs.
  func send(_ action: QueuedAction, entering enter: @escaping @Sendable (_ run: () -> Void) -> Void)

  /// Runs the actions that were sent.
  ///
  /// - Returns: Whether there were any.
  func settle() -> Bool

  /// Runs a part of a task, and returns when it has ended.
  ///
  /// - Parameters:
  ///   - isMain: Whether it runs on the main queue. If not, it never does.
  ///   - label: The name of its queue in the record; `nil` for none.
  ///   - part: Runs the part.
  func runPart(isMain: Bool, label: String?, _ part: @escaping @Sendable () -> Void)

  /// Whether actions wait until the clock settles.
  var hasWaitingActions: Bool { get }

  /// Releases the actions that wait, without running them.
  func drop()

  /// The place that the calling code runs in.
  ///
  /// - Parameter isInside: Returns whether the code belongs to the world, or runs on one of its
  ///   queues.
  func place(isInside: () -> Bool) -> RunningPlace
}

/// The place that code runs in.
package enum RunningPlace: Hashable, Sendable {
  /// The code that moves time, or the clock's actions.
  case world
  /// A queue with this name, while the world waits for it.
  case queue(String)
  /// Somewhere that the world doesn't control.
  case outside
}
