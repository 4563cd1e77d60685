import Dispatch
import Testing

extension Trait where Self == TimeLimitTrait {
  /// Fails a test that hangs, so that the run names it.
  ///
  /// The limit is much longer than a whole run takes, because it also counts the time in which a
  /// test waits for others. All asynchronous tests share a few threads, and each `await` sends a
  /// test to the end of the line. So a shorter limit would assert how fast the machine is.
  package static var hangLimit: Self { .timeLimit(.minutes(15)) }
}

extension DispatchTimeInterval {
  /// The same limit, for tests that wait on a semaphore. Only a failure takes this long.
  package static let hangLimit = DispatchTimeInterval.seconds(15 * 60)
}
