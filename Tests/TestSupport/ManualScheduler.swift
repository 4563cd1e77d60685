import Streams

/// A scheduler that logs each call, and runs scheduled actions only when the test says so.
///
/// ```swift
/// let scheduler = ManualScheduler()
/// let history = source.receive(on: scheduler).history()
/// source.send(1)
/// #expect(history.values == [])
/// scheduler.run()
/// #expect(history.values == [1])
/// ```
///
/// Actions run in the order of their moments. Actions of the same moment run in the order in which
/// they were scheduled. Any thread may schedule, and several may run actions.
package final class ManualScheduler: Scheduler, Fixture {
  /// A type with values, so a test can see whether options are passed on.
  package typealias SchedulerOptions = String

  private struct Action {
    var number: Int
    var due: SchedulerTimeType
    var run: () -> Void
  }

  private struct State {
    var now = SchedulerTimeType(nanoseconds: 0)
    var count = 0
    var actions: [Action] = []
  }

  private let log: CallLog?
  private let cancels: Bool
  private let state = Locked(State())

  /// Makes a scheduler whose moment is zero.
  ///
  /// - Parameters:
  ///   - log: A log for the calls, which others may share.
  ///   - cancels: Whether cancelling prevents an action from running.
  package init(log: CallLog? = nil, cancels: Bool = true) {
    self.log = log
    self.cancels = cancels
    register()
  }

  // MARK: Called by the test

  /// How many actions are waiting.
  package var pendingCount: Int { state.withLock { $0.actions.count } }

  /// Runs the next action, at its moment.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package func runNext() -> Bool {
    let action = state.withLock { state -> Action? in
      // The first of the earliest ones.
      let next = state.actions.indices.min {
        (state.actions[$0].due, $0) < (state.actions[$1].due, $1)
      }
      guard let next else { return nil }
      let action = state.actions.remove(at: next)
      state.now = max(state.now, action.due)
      return action
    }
    action?.run()
    return action != nil
  }

  /// Runs the action that was scheduled last, as a queue with several threads might do.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package func runLast() -> Bool {
    let action = state.withLock { state in
      let action = state.actions.popLast()
      state.now = max(state.now, action?.due ?? state.now)
      return action
    }
    action?.run()
    return action != nil
  }

  /// Runs actions until none is waiting, including actions that are scheduled meanwhile.
  package func run() {
    while runNext() {}
  }

  package func letGo() {
    // The actions are released outside the lock.
    _ = state.withLock { state in
      defer { state.actions = [] }
      return state.actions
    }
  }

  // MARK: Scheduler

  package var now: SchedulerTimeType {
    log?.append("scheduler: now")
    return state.withLock { $0.now }
  }

  package var minimumTolerance: SchedulerTimeType.Stride { 7 }

  package func schedule(options: String?, _ action: @escaping () -> Void) {
    log?.append("scheduler: schedule\(describe(options))")
    append(action, after: nil)
  }

  package func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: String?,
    _ action: @escaping () -> Void
  ) {
    log?.append(
      "scheduler: schedule after \(date.nanoseconds) tolerance \(tolerance.magnitude)"
        + describe(options))
    append(action, after: date)
  }

  /// Runs the action once, at the first moment. That's enough, because operators cancel their
  /// repeats by then.
  package func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: String?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    log?.append(
      "scheduler: schedule after \(date.nanoseconds) interval \(interval.magnitude)"
        + " tolerance \(tolerance.magnitude)" + describe(options))
    let number = append(action, after: date)
    return AnyCancellable {
      self.log?.append("scheduler: cancel #\(number)")
      if self.cancels { self.remove(number) }
    }
  }

  @discardableResult
  private func append(_ action: @escaping () -> Void, after date: SchedulerTimeType?) -> Int {
    state.withLock { state in
      state.count += 1
      state.actions.append(Action(number: state.count, due: date ?? state.now, run: action))
      return state.count
    }
  }

  private func remove(_ number: Int) {
    // The removed action is released outside the lock.
    _ = state.withLock { state in
      state.actions.firstIndex { $0.number == number }.map { state.actions.remove(at: $0) }
    }
  }

  private func describe(_ options: String?) -> String { options.map { " options \($0)" } ?? "" }
}

// All state is behind the lock; the test is responsible for its actions.
extension ManualScheduler: @unchecked Sendable {}

extension ManualScheduler {
  /// A moment, in nanoseconds since the scheduler was made.
  package struct SchedulerTimeType: Strideable, Sendable {
    /// The nanoseconds since the scheduler was made.
    package var nanoseconds: Int

    package func distance(to other: Self) -> Stride { Stride(other.nanoseconds - nanoseconds) }

    package func advanced(by n: Stride) -> Self { Self(nanoseconds: nanoseconds + n.magnitude) }

    /// A span of nanoseconds.
    package struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Sendable {
      /// The nanoseconds, with their sign.
      package var magnitude: Int

      init(_ nanoseconds: Int) { magnitude = nanoseconds }
      package init(integerLiteral value: Int) { self.init(value) }
      package init?<T>(exactly source: T) where T: BinaryInteger {
        guard let value = Int(exactly: source) else { return nil }
        self.init(value)
      }

      package static func seconds(_ s: Int) -> Stride { Stride(s * 1_000_000_000) }
      package static func seconds(_ s: Double) -> Stride { Stride(Int(s * 1e9)) }
      package static func milliseconds(_ ms: Int) -> Stride { Stride(ms * 1_000_000) }
      package static func microseconds(_ us: Int) -> Stride { Stride(us * 1_000) }
      package static func nanoseconds(_ ns: Int) -> Stride { Stride(ns) }

      package static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
      package static func + (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude + rhs.magnitude)
      }
      package static func - (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude - rhs.magnitude)
      }
      package static func * (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude * rhs.magnitude)
      }
      package static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
    }
  }
}
