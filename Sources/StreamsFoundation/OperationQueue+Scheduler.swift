import Dispatch
import Foundation
import Streams

/// Runs actions as operations of the queue.
///
/// Source of the rules: Foundation's conformance on Apple's systems, where a repeating action runs
/// only once, one interval after its date; so it does here.
extension OperationQueue: Scheduler {
  /// A moment of the calendar.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// There is nothing to ask for.
  public typealias SchedulerOptions = DateSchedulerOptions

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Runs the action as an operation of this queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Handed over once, to the one thread that runs the operation.
    nonisolated(unsafe) let action = action
    addOperation { action() }
    if self === OperationQueue.main { _ = MainThreadTurns.noteSend() }
  }

  /// Runs the action as an operation that becomes ready at a moment; tolerance is ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(action, at: date)
  }

  /// Runs the action once, one interval after the date.
  ///
  /// - Returns: Keeps the action from running, if it has not begun.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable(add(action, at: date.advanced(by: interval)).cancel)
  }

  @discardableResult
  private func add(_ action: @escaping () -> Void, at date: SchedulerTimeType) -> Operation {
    MainThreadTurns.noteDelay(on: "OperationQueue")
    // Handed over once, to the one thread that runs the operation.
    nonisolated(unsafe) let action = action
    let operation = BlockOperation { action() }
    DispatchQueue.global().asyncAfter(deadline: .now() + now.distance(to: date).timeInterval) {
      self.addOperation(operation)
    }
    return operation
  }
}
