/// Gives a closure a virtual clock, and checks at its end that no work was left undone.
///
/// ```swift
/// withVirtualTime { clock in
///   clock.schedule(after: .seconds(2)) { print("done at", clock.now) }
///   clock.run()
/// }
/// // Prints "done at 2s"
/// ```
///
/// At the end, foreground work that would still come due is reported as unfinished, unless a guard has
/// reported something before or the closure throws. Background work and work that is never due may be
/// left over. All work that is left is dropped, also work that keeps itself alive by waiting for its
/// turn.
///
/// Inside the closure no other virtual-time scheduler can be used: work on a clock that doesn't move
/// is never done. A scope within the scope has its own clock.
///
/// - Parameters:
///   - now: The first moment; not ``VirtualTime/max``.
///   - name: What to call the clock in reports; if `nil`, the place of the call.
///   - limits: How far the clock goes before it reports that something does not end.
///   - onFailure: Called with what a guard has to report. Give one that records an issue in the test
///     framework at hand; without one, the report ends the program.
///   - fileID: The file to name the clock after.
///   - line: The line to name the clock after.
///   - body: Gets the clock.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
public func withVirtualTime<Result>(
  now: VirtualTime = .zero, name: String? = nil,
  limits: VirtualTimeScheduler.Limits = .default,
  onFailure: @escaping @Sendable (GuardFailure) -> Void = GuardFailure.trap,
  fileID: String = #fileID, line: Int = #line,
  _ body: (VirtualTimeScheduler) throws -> Result
) rethrows -> Result {
  let clock = VirtualTimeScheduler(
    now: now, name: name, limits: limits, onFailure: onFailure, fileID: fileID, line: line)
  defer { clock.dropPendingWork() }
  let result = try VirtualTimeScope.$scheduler.withValue(clock) { try body(clock) }
  clock.checkThatWorkIsFinished()
  return result
}

/// The scope that the present code runs in.
enum VirtualTimeScope {
  /// The scheduler of the innermost scope, if there is one.
  @TaskLocal static var scheduler: VirtualTimeScheduler?
}
