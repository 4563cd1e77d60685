import Streams
import TestSupport

/// An asynchronous sequence whose calls of `next()` the test answers one by one.
///
/// It ignores cancellations, so a test can see what arrives after one.
final class ScriptedSequence<Failure: Error>: AsyncSequence, Sendable {
  typealias Element = Int

  private struct Answer {
    var result: Result<Int?, Failure>
  }

  private let log = CallLog()
  private let calls: AsyncStream<CheckedContinuation<Answer, Never>>
  private let called: AsyncStream<CheckedContinuation<Answer, Never>>.Continuation
  private let releases: AsyncStream<Void>
  private let released: AsyncStream<Void>.Continuation
  private let waiting = Locked<CheckedContinuation<Answer, Never>?>(nil)
  private let wasCancelled = Locked(false)

  init() {
    (calls, called) = AsyncStream.makeStream()
    (releases, released) = AsyncStream.makeStream()
  }

  /// Everything that happened, in order.
  var lines: [String] { log.lines }

  /// Waits until `next()` is called.
  func waitForCall() async {
    if waiting.withLock({ $0 != nil }) { return }
    for await call in calls {
      waiting.withLock { $0 = call }
      return
    }
  }

  /// Waits until `next()` is called, and lets it return.
  ///
  /// - Parameter isCancelled: Whether to wait until the call knows that its task is cancelled.
  func answer(_ result: Result<Int?, Failure>, isCancelled: Bool = false) async {
    await waitForCall()
    while isCancelled, !wasCancelled.withLock({ $0 }) { await Task.yield() }
    switch result {
    case .success(let element): log.append("return \(element.map { "\($0)" } ?? "nil")")
    case .failure(let error): log.append("throw \(error)")
    }
    waiting.withLock { $0.take() }?.resume(returning: Answer(result: result))
  }

  /// Waits until an iterator has been released, which its task does at its end.
  func waitForRelease() async {
    for await _ in releases { return }
  }

  func makeAsyncIterator() -> Iterator {
    log.append("iterator")
    return Iterator(
      sequence: self,
      token: OnRelease { [log, released] in
        log.append("released")
        released.yield()
      })
  }

  struct Iterator: AsyncIteratorProtocol {
    let sequence: ScriptedSequence
    let token: OnRelease

    mutating func next() async throws(Failure) -> Int? {
      let sequence = sequence
      sequence.log.append("next")
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { sequence.called.yield($0) }
      } onCancel: {
        sequence.wasCancelled.withLock { $0 = true }
      }
      return try answer.result.get()
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Int? {
      try await next()
    }
  }
}

/// Runs a closure while it's being released.
final class OnRelease: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}
