/// Runs a closure with a virtual clock, and then checks that no work is left.
///
/// ```swift
/// withVirtualTime { clock in
///   clock.schedule(after: .seconds(2)) { print("done at", clock.now) }
///   clock.run()
/// }
/// // Prints "done at 2s"
/// ```
///
/// Foreground work that would still come due when the closure returns is reported as unfinished,
/// unless a guard has reported something before. Nothing is reported if the closure throws.
/// Background work and work that is never due may be left. All remaining work is released, even
/// work that keeps itself alive.
///
/// Inside the closure you can't use another virtual-time scheduler, because work on a clock that
/// doesn't move never runs. A nested scope has its own clock.
///
/// - Parameters:
///   - now: The first moment; not ``VirtualTime/max``.
///   - name: The name of the clock in reports; if `nil`, the file and line of the call.
///   - limits: How much may run before the clock reports that something doesn't end.
///   - onFailure: Called with the report of a guard. Pass a closure that records an issue in your
///     test framework. Without it, the report ends the program.
///   - fileID: The file for the default name.
///   - line: The line for the default name.
///   - body: The closure to run; gets the clock.
/// - Returns: The result of the closure.
/// - Throws: The error that the closure throws.
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

/// The scope that the current code runs in.
package enum VirtualTimeScope {
  /// The scheduler of the innermost scope; `nil` outside a scope.
  @TaskLocal package static var scheduler: VirtualTimeScheduler?
}
