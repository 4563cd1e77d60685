import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// Cancels a task of this session. All cancellations of this library go through here.
  ///
  /// Foundation on Linux ends the program if a task completes between its start and its
  /// cancellation, both of which wait for the session's cache: once the cache has answered, a
  /// background thread starts the task and then cancels it, and in between the task may complete.
  /// (`Trying to access a behaviour for a task that in not in the registry`.) So on a session with
  /// a cache, this doesn't cancel a task before that thread is through:
  ///
  /// - The lookup of our own comes back once Foundation's has begun, because both go through the
  ///   same queue, one after the other.
  /// - The pause is for the thread that may still be busy with Foundation's lookup. It needs some
  ///   microseconds, if the system doesn't interrupt it.
  ///
  /// A task that completes in the meantime isn't cancelled any more. Without a cache, a task starts
  /// at once, and this cancels it before it returns.
  package func cancel(_ task: URLSessionTask) {
    #if canImport(FoundationNetworking)
      if let task = task as? URLSessionDataTask, let cache = configuration.urlCache {
        return cache.getCachedResponse(for: task) { _ in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { task.cancel() }
        }
      }
    #endif
    task.cancel()
  }
}
