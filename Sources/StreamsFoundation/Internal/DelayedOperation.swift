import Dispatch
import Foundation
import Streams
import Synchronization

/// An operation that waits in its queue until it may run, from a moment on.
///
/// A queue on Linux checks `isReady` when the operation is added and when a change of `isReady` is
/// announced. A change announced while the operation is being added is lost. So it's announced once
/// more then.
///
/// A repeat uses one operation for each tick. Before a tick is done, it lets the next one wait.
///
/// Contract:
/// - **Threads:** any thread may cancel. The action runs on the queue, and it's the only user code
///   that does.
/// - **Release:** the thread that cancels releases the action. If the queue is running the action,
///   the queue releases it.
///
/// `@unchecked`: mutable state is behind a lock or atomic.
final class DelayedOperation: Operation, Cancellable, @unchecked Sendable {
  private typealias Time = OperationQueue.SchedulerTimeType

  private struct State {
    /// The work; `nil` once it runs, and after a cancellation.
    var work: Work?
    var timer: (any DispatchSourceTimer)?
  }

  private struct Work {
    let action: () -> Void
    /// The repeat that this tick belongs to; `nil` if the action runs once.
    let `repeat`: Repeat?
  }

  private let queue: OperationQueue
  private let state: Locked<State>
  private let canRun = Atomic(false)

  private init(_ work: Work, in queue: OperationQueue) {
    self.queue = queue
    state = Locked(State(work: work))
  }

  /// Adds an operation that runs an action at a moment.
  static func add(
    to queue: OperationQueue, at date: OperationQueue.SchedulerTimeType,
    _ action: @escaping () -> Void
  ) {
    DelayedOperation(Work(action: action, repeat: nil), in: queue).wait(until: date)
  }

  /// Adds operations that run an action at a moment and after each interval.
  ///
  /// - Returns: Cancelling or releasing it ends the repeats.
  static func add(
    to queue: OperationQueue, at date: OperationQueue.SchedulerTimeType,
    every interval: OperationQueue.SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    // The shortest interval is the same as for a timer.
    let `repeat` = Repeat(queue: queue, date: date, interval: max(interval, 0.000_1))
    `repeat`.start(action)
    return AnyCancellable(`repeat`)
  }

  // MARK: Operation

  override var isReady: Bool {
    (canRun.load(ordering: .sequentiallyConsistent) || isCancelled) && super.isReady
  }

  override func main() {
    guard let work = state.withLock({ $0.work.take() }) else { return }
    work.action()
    if !isCancelled { work.repeat?.tickIsDone(work.action) }
  }

  override func cancel() {
    super.cancel()
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    former.timer?.cancel()
  }

  // MARK: Waiting

  private func wait(until date: Time) {
    let delay = queue.now.distance(to: date).timeInterval
    if delay <= 0 {
      letRun()
      return enterQueue()
    }
    enterQueue()
    let timer = DispatchSource.makeTimerSource(queue: Self.timers)
    timer.setEventHandler { [weak self] in self?.becomeDue() }
    timer.schedule(deadline: .now() + delay)
    let isWaiting = state.withLock { state in
      guard state.work != nil else { return false }
      state.timer = timer
      return true
    }
    timer.resume()
    // It was cancelled on its way here.
    if !isWaiting { timer.cancel() }
  }

  private func enterQueue() {
    let wasReady = isReady
    queue.addOperation(self)
    if !wasReady, isReady { announce() }
  }

  private func becomeDue() {
    let timer = state.withLock { $0.timer.take() }
    timer?.cancel()
    letRun()
  }

  private func letRun() {
    canRun.store(true, ordering: .sequentiallyConsistent)
    announce()
  }

  private func announce() {
    willChangeValue(for: \.isReady)
    didChangeValue(for: \.isReady)
  }

  /// The queue of the timers, which only let operations run.
  private static let timers = DispatchQueue(label: "StreamsFoundation.DelayedOperation")

  // MARK: Repeats

  /// The operations of a repeat. One of them waits or runs until the repeat is cancelled, or the
  /// queue cancels that operation.
  ///
  /// `@unchecked`: the state is behind the lock. Only the running operation changes the date.
  private final class Repeat: Cancellable, @unchecked Sendable {
    private struct State {
      weak var operation: DelayedOperation?
      var isCancelled = false
    }

    private let queue: OperationQueue
    private let interval: Time.Stride
    private var date: Time
    private let state = Locked(State())

    init(queue: OperationQueue, date: Time, interval: Time.Stride) {
      self.queue = queue
      self.date = date
      self.interval = interval
    }

    /// Adds the operation for the current date, unless the repeat was cancelled.
    func start(_ action: @escaping () -> Void) {
      let operation = DelayedOperation(Work(action: action, repeat: self), in: queue)
      let isCancelled = state.withLock { state in
        state.operation = operation
        return state.isCancelled
      }
      if !isCancelled { operation.wait(until: date) }
    }

    /// Continues with the next date. Like a timer, it skips dates that have passed meanwhile.
    func tickIsDone(_ action: @escaping () -> Void) {
      let late = max(0, date.distance(to: queue.now).timeInterval)
      let intervals = (late / interval.timeInterval).rounded(.down) + 1
      date = date.advanced(by: Time.Stride(intervals * interval.timeInterval))
      start(action)
    }

    func cancel() {
      let operation = state.withLock { state in
        state.isCancelled = true
        return state.operation
      }
      operation?.cancel()
    }
  }
}
