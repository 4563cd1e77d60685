import Dispatch
import Foundation
import Streams

/// Runs actions as blocks of the queue.
///
/// The tolerance is ignored for an action that runs once, and the group for one that runs later.
///
/// Source of the rules: Foundation's conformance on Apple's systems.
extension DispatchQueue: Scheduler {
  /// Options for the block that runs an action.
  public struct SchedulerOptions: Sendable {
    /// The quality of service.
    public var qos: DispatchQoS

    /// The flags of the block.
    public var flags: DispatchWorkItemFlags {
      get { DispatchWorkItemFlags(rawValue: rawFlags) }
      set { rawFlags = newValue.rawValue }
    }

    // Stored as a number, because Dispatch doesn't declare its flags `Sendable`.
    private var rawFlags: DispatchWorkItemFlags.RawValue

    /// The group that the block belongs to.
    public var group: DispatchGroup?

    /// Makes options. Without arguments they have no effect.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
      group: DispatchGroup? = nil
    ) {
      self.qos = qos
      rawFlags = flags.rawValue
      self.group = group
    }
  }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// The present moment.
  public var now: SchedulerTimeType {
    guard let backend = SchedulingScope.backend else { return SchedulerTimeType(.now()) }
    return SchedulerTimeType(nanosecondsOfWorld: backend.now)
  }

  /// Runs the action as a block of this queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if let backend = SchedulingScope.backend {
      return backend.send(QueuedAction(to: placeInWorld, options: options, action))
    }
    guard let options else {
      // Passed once, to the one thread that runs the block. A work item would cost more.
      nonisolated(unsafe) let action = action
      return async { action() }
    }
    if let group = options.group {
      async(group: group, execute: options.workItem(action))
    } else {
      async(execute: options.workItem(action))
    }
  }

  /// Runs the action as a block of this queue at a moment.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if let backend = SchedulingScope.backend {
      let place = placeInWorld
      backend.schedule(after: date.nanosecondsOfWorld, for: place) {
        backend.send(QueuedAction(to: place, options: options.withoutGroup, action))
      }
    } else {
      let options = options ?? SchedulerOptions()
      asyncAfter(deadline: date.dispatchTime, execute: options.workItem(action))
    }
  }

  /// Runs the action as a block of this queue at a moment and after each interval.
  ///
  /// - Returns: Keep this: cancelling or releasing it ends the repeats.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    if let backend = SchedulingScope.backend {
      let place = placeInWorld
      return backend.schedule(
        after: date.nanosecondsOfWorld, interval: Int64(interval.magnitude), for: place
      ) {
        backend.send(QueuedAction(to: place, options: options.withoutGroup, action))
      }
    }
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.schedule(
      deadline: date.dispatchTime, repeating: interval.timeInterval,
      leeway: max(tolerance, minimumTolerance).timeInterval)
    let action = RevocableAction(action)
    if let options {
      timer.setEventHandler(handler: options.workItem(action.run))
    } else {
      timer.setEventHandler { action.run() }
    }
    timer.resume()
    return AnyCancellable {
      timer.cancel()
      action.revoke()
    }
  }

  private var placeInWorld: QueuedAction.Place { isMain ? .mainQueue : .queue(self) }
}

extension DispatchQueue.SchedulerOptions {
  fileprivate func workItem(_ action: @escaping () -> Void) -> DispatchWorkItem {
    DispatchWorkItem(qos: qos, flags: flags, block: action)
  }
}

extension DispatchQueue.SchedulerOptions? {
  /// The options that also apply to blocks that run later.
  fileprivate var withoutGroup: Self {
    map { DispatchQueue.SchedulerOptions(qos: $0.qos, flags: $0.flags) }
  }
}
