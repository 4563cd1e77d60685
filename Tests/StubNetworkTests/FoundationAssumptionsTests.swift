import Foundation
import Streams
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The two facts about swift-corelibs-foundation that settling relies on. If one of these tests
/// fails, you can't trust any result in virtual time on that version of Foundation.
@Suite(.serialized) struct FoundationAssumptionsTests {
  @Test func sessionsCallBackThroughAnOverriddenAddOperation() {
    let queue = KeepingQueue()
    let called = Locked(false)
    let task = session(queue).dataTask(with: URL(string: "https://example.com/")!) { _, _, _ in
      called.withLock { $0 = true }
    }
    task.resume()
    _ = task.priority
    #expect(called.withLock { $0 } == false, "a callback ran past the queue's override")
    #expect(queue.blocks.withLock { $0.count } == 1)
    for block in queue.blocks.withLock({ $0 }) { block() }
    #expect(called.withLock { $0 })
  }

  @Test func readingThePriorityWaitsForTheWorkQueue() {
    for round in 1...20 {
      let queue = KeepingQueue()
      let task = session(queue).dataTask(with: URL(string: "https://example.com/")!) { _, _, _ in }
      task.resume()
      _ = task.priority
      // The protocol is slow to start, and then adds the block.
      #expect(queue.blocks.withLock { $0.count } == 1, "the read didn't wait in round \(round)")
      for block in queue.blocks.withLock({ $0 }) { block() }
    }
  }

  private func session(_ queue: OperationQueue) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [SlowFailingProtocol.self]
    return URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
  }
}

/// Keeps its blocks instead of running them.
private final class KeepingQueue: OperationQueue, @unchecked Sendable {
  let blocks = Locked<[@Sendable () -> Void]>([])

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    blocks.withLock { $0.append(block) }
  }
}

/// Fails on the work queue after a delay, so that a caller that doesn't wait is long gone.
private final class SlowFailingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    // A delay: no code signals the semaphore.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
    client?.urlProtocol(self, didFailWithError: URLError(.timedOut))
  }

  override func stopLoading() {}
}
