import Foundation

/// The mark of a thread that a world uses at the moment: to move time, or for a part of a task.
///
/// A task-local wouldn't do. Where Swift asks for a place to run the next part of a task, that
/// task isn't the current one any more.
package enum ThreadMark {
  private final class Mark {
    let backend: (any SchedulerBackend)?
    /// Whether tasks that start here belong to it, whatever the calling task belongs to.
    let isForced: Bool

    init(_ backend: (any SchedulerBackend)?, isForced: Bool) {
      (self.backend, self.isForced) = (backend, isForced)
    }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static var mark: Mark? {
    pthread_getspecific(key).map { Unmanaged<Mark>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The world that uses the calling thread; `nil` if none does.
  package static var current: (any SchedulerBackend)? { mark?.backend }

  /// The world of tasks that start here, if it's said; `.some(nil)` for none.
  package static var forced: (any SchedulerBackend)?? {
    mark.flatMap { $0.isForced ? .some($0.backend) : nil }
  }

  /// Runs a body while a world uses this thread.
  package static func with<Result>(
    _ backend: (any SchedulerBackend)?, _ body: () throws -> Result
  ) rethrows -> Result {
    try with(Mark(backend, isForced: false), body)
  }

  /// Starts tasks that belong to a world, or with `nil` to none, whatever the calling task belongs
  /// to.
  package static func startingTasks<Result>(
    in backend: (any SchedulerBackend)?, _ start: () throws -> Result
  ) rethrows -> Result {
    try with(Mark(backend, isForced: true), start)
  }

  private static func with<Result>(
    _ mark: Mark, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(mark).toOpaque())
    defer {
      pthread_setspecific(key, outer)
      withExtendedLifetime(mark) {}
    }
    return try body()
  }
}
