import Foundation
import TestSupport
import Testing

@testable import Streams

/// Values reach a shared subject without retaining it, so these tests release it meanwhile.
struct ShareThreadTests {
  /// The ways in which a `PassthroughSubject` is fed from upstream.
  enum Form: CaseIterable, Sendable {
    case share, multicast, subscribe

    fileprivate func attach(
      _ source: PassthroughSubject<Int, Never>, _ receive: @escaping @Sendable (Int) -> Void
    ) -> [AnyCancellable] {
      switch self {
      case .share: return [source.share().sink(receiveValue: receive)]
      case .multicast:
        return [
          source.multicast { PassthroughSubject() }.autoconnect().sink(receiveValue: receive)
        ]
      case .subscribe:
        let subject = PassthroughSubject<Int, Never>()
        return [subject.sink(receiveValue: receive), source.subscribe(subject)]
      }
    }
  }

  @Test(arguments: Form.allCases)
  func valuesArriveUntilTheLastCancellationOnAnotherThread(_ form: Form) {
    for _ in 0..<300 {
      let source = PassthroughSubject<Int, Never>()
      let values = Locked<[Int]>([])
      let cancellables = Locked(
        form.attach(source) { value in values.withLock { $0.append(value) } })
      onThreads(2) { index in
        if index == 0 {
          for value in 0..<20 { source.send(value) }
        } else {
          sched_yield()
          let released = cancellables.withLock { all in
            defer { all = [] }
            return all
          }
          for cancellable in released { cancellable.cancel() }
        }
      }
      let received = values.withLock { $0 }
      expectEqual(received, Array(0..<received.count))
      source.send(100)
      expectEqual(values.withLock { $0 }, received)
    }
  }

  @Test(arguments: Form.allCases)
  func aCancellationWithinAValueReleasesTheSubject(_ form: Form) {
    let source = PassthroughSubject<Int, Never>()
    let cancellables = Locked<[AnyCancellable]>([])
    let values = Locked<[Int]>([])
    let attached = form.attach(source) { value in
      values.withLock { $0.append(value) }
      let released = cancellables.withLock { all in
        defer { all = [] }
        return all
      }
      for cancellable in released { cancellable.cancel() }
      source.send(value + 1)
    }
    cancellables.withLock { $0 = attached }
    source.send(1)
    source.send(10)
    expectEqual(values.withLock { $0 }, [1])
  }

  @Test func aNestedValueReachesASubscriberFromAnotherThread() {
    let source = PassthroughSubject<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    let log = CallLog()
    let late = Locked<AnyCancellable?>(nil)
    let first = subject.sink { value in
      log.append("first \(value)")
      guard value == 1 else { return }
      onAnotherThread {
        let cancellable = subject.sink { log.append("late \($0)") }
        late.withLock { $0 = cancellable }
      }
      source.send(2)
      // The outer value still holds the gate.
      let isInside = subject.hub.gate.isMine
      #expect(isInside)
    }
    let connection = source.subscribe(subject)
    source.send(1)
    log.expect(["first 1", "first 2", "late 2"])
    let isInside = subject.hub.gate.isMine
    #expect(!isInside)
    withExtendedLifetime((first, connection)) {}
    let released = late.withLock { $0.take() }
    released?.cancel()
  }

  @Test func aBridgeReleasesTheHub() {
    let source = PassthroughSubject<Int, Never>()
    weak var hub: SubjectHub?
    do {
      let subject = PassthroughSubject<Int, Never>()
      hub = subject.hub
      let connection = source.subscribe(subject)
      source.send(1)
      connection.cancel()
    }
    #expect(hub == nil)
  }
}
