import Streams
import VirtualTime

/// A scheduler that passes everything on, and notes each time that its operator lets pass.
///
/// An operator with a timer gets it from its carrier; see ``KeepsValues``.
struct WaitRecorder<Context: Scheduler>: Scheduler {
  typealias SchedulerTimeType = Context.SchedulerTimeType
  typealias SchedulerOptions = Context.SchedulerOptions

  private let context: Context
  private let notes: WaitNotes?

  /// Wraps the scheduler of an operator, in the code that attaches its subscriber.
  ///
  /// - Parameter startsAtLastAction: Whether a wait begins when the operator's last action ran, as
  ///   the interval of `throttle` does, and not when the timer is started.
  init(_ context: Context, startsAtLastAction: Bool = false) {
    self.context = context
    notes = Timeline.waitNotes(startsAtLastAction: startsAtLastAction)
  }

  var now: Context.SchedulerTimeType { context.now }
  var minimumTolerance: Context.SchedulerTimeType.Stride { context.minimumTolerance }

  func schedule(options: Context.SchedulerOptions?, _ action: @escaping () -> Void) {
    guard let notes else { return context.schedule(options: options, action) }
    context.schedule(options: options) {
      notes.noteAction()
      action()
    }
  }

  func schedule(
    after date: Context.SchedulerTimeType, tolerance: Context.SchedulerTimeType.Stride,
    options: Context.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    guard let notes else {
      return context.schedule(after: date, tolerance: tolerance, options: options, action)
    }
    let wait = notes.begin()
    context.schedule(after: date, tolerance: tolerance, options: options) {
      wait.end(as: .over)
      notes.noteAction()
      action()
    }
  }

  func schedule(
    after date: Context.SchedulerTimeType, interval: Context.SchedulerTimeType.Stride,
    tolerance: Context.SchedulerTimeType.Stride, options: Context.SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    guard let notes else {
      return context.schedule(
        after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
    let wait = Locked(notes.begin())
    let timer = context.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options
    ) {
      // Each turn ends a wait and begins another one, which takes no time if the action stops it.
      wait.withLock { wait in
        wait.end(as: .over)
        wait = notes.begin()
      }
      action()
    }
    return AnyCancellable {
      timer.cancel()
      wait.withLock { $0.end(as: .stopped) }
    }
  }
}

/// What a ``WaitRecorder`` writes: the waits of an operator, in the lane below it.
final class WaitNotes: Sendable {
  /// A wait that has begun.
  struct Wait: Sendable {
    fileprivate let number: Int
    fileprivate let log: WaitLog

    func end(as ending: Timeline.Wait.Ending) { log.end(number, as: ending) }
  }

  private let life: WaitLog.Life
  private let log: WaitLog
  private let startsAtLastAction: Bool
  private let lastAction = Locked<VirtualTime?>(nil)

  init(_ life: WaitLog.Life, in log: WaitLog, startsAtLastAction: Bool) {
    (self.life, self.log, self.startsAtLastAction) = (life, log, startsAtLastAction)
  }

  func begin() -> Wait {
    let last = startsAtLastAction ? lastAction.withLock { $0 } : nil
    return Wait(
      number: log.begin(in: life, at: last ?? log.time, cause: Timeline.numberOfCause), log: log)
  }

  func noteAction() {
    let time = log.time
    lastAction.withLock { $0 = time }
  }
}
