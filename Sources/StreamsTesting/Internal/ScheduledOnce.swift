import Streams
import Testing
import VirtualTime

extension VirtualTimeScheduler {
  /// Runs an action once, unless what this returns is cancelled before.
  ///
  /// - Parameters:
  ///   - date: When to run it.
  ///   - label: The name of the work in traces and reports.
  ///   - isCancellation: Whether it runs before all other work of its instant.
  ///   - location: The place that traces and reports quote.
  ///   - action: The action. It's released when it has run or has been cancelled.
  func scheduleOnce(
    at date: VirtualTime, label: String, isCancellation: Bool = false,
    _ location: SourceLocation, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let once = ScheduledOnce()
    var options = Options(
      label: label, isCancellation: isCancellation, fileID: location.fileID, line: location.line)
    options.orderSource = OrderSource(
      "the \(label) of \(location.fileName):\(location.line)",
      of: once)
    // Only repeats can be cancelled. The second date of this one means never.
    once.keep(
      schedule(after: date, interval: .max, tolerance: .zero, options: options) {
        once.cancel()
        action()
      })
    return once
  }
}

/// A repeat that cancels itself when it runs for the first time.
private final class ScheduledOnce: Cancellable {
  private struct State {
    var token: (any Cancellable)?
    var isOver = false
  }

  private let state = Locked(State())

  /// Keeps the token of the repeat, or cancels it if it has already run on another thread.
  func keep(_ token: any Cancellable) {
    let isOver = state.withLock { state in
      if !state.isOver { state.token = token }
      return state.isOver
    }
    if isOver { token.cancel() }
  }

  func cancel() {
    let token = state.withLock { state in
      state.isOver = true
      return state.token.take()
    }
    token?.cancel()
  }
}
