import Foundation
import TestSupport
import Testing

@testable import Streams

/// Tests when the closures of `sink` are released, if the cancellable is kept.
@Suite final class SinkChainReleaseTests {
  typealias IntSubject = PassthroughSubject<Int, TestError>
  typealias Chain = (IntSubject, CallLog, @escaping (Int) -> Void) -> AnyCancellable

  static func sink(
    _ publisher: some Publisher<Int, TestError>, _ log: CallLog, _ body: @escaping (Int) -> Void
  ) -> AnyCancellable {
    let first = Token { log.append("completion closure released") }
    let second = Token { log.append("value closure released") }
    return publisher.sink(
      receiveCompletion: {
        first.touch()
        log.append("\($0)")
      },
      receiveValue: {
        log.append("begin \($0)")
        body($0)
        second.touch()
        log.append("end \($0)")
      })
  }

  nonisolated(unsafe) static let chains: [(String, Chain)] = [
    ("sink", { sink($0, $1, $2) }),
    ("map", { sink($0.map { $0 }, $1, $2) }),
    ("filter", { sink($0.filter { _ in true }, $1, $2) }),
    ("scan", { sink($0.scan(0) { $1 }, $1, $2) }),
    ("share", { sink($0.share(), $1, $2) }),
    ("erased", { sink($0.map { $0 }.eraseToAnyPublisher(), $1, $2) }),
    ("handleEvents", { sink($0.handleEvents(), $1, $2) }),
    ("immediate", { sink($0.receive(on: ImmediateScheduler.shared), $1, $2) }),
    (
      "buffer",
      { sink($0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).map { $0 }, $1, $2) }
    ),
    ("merge", { sink($0.merge(with: Empty(completeImmediately: true)), $1, $2) }),
    ("flatMap", { sink($0.flatMap { Just($0).setFailureType(to: TestError.self) }, $1, $2) }),
    ("zip", { sink($0.zip($0) { a, _ in a }, $1, $2) }),
    (
      "combineLatest",
      { sink($0.combineLatest(Just(1).setFailureType(to: TestError.self)) { a, _ in a }, $1, $2) }
    ),
    (
      "switchToLatest",
      { sink($0.map { Just($0).setFailureType(to: TestError.self) }.switchToLatest(), $1, $2) }
    ),
    ("prefix", { sink($0.prefix(5), $1, $2) }),
    ("removeDuplicates", { sink($0.removeDuplicates(), $1, $2) }),
    ("catch", { sink($0.catch { Fail<Int, TestError>(error: $0) }, $1, $2) }),
    ("collect", { sink($0.collect(1).map { $0[0] }, $1, $2) }),
  ]

  enum Ending: CaseIterable {
    case cancellation, cancellationOnAnotherThread, completion, failure

    func end(_ subject: IntSubject, _ keeper: AnyCancellable?) {
      switch self {
      case .cancellation: keeper?.cancel()
      case .cancellationOnAnotherThread: onAnotherThread { keeper?.cancel() }
      case .completion: subject.send(completion: .finished)
      case .failure: subject.send(completion: .failure("over"))
      }
    }
  }

  static let both = SinkReleaseTests.both

  /// The releases, sorted, because their order doesn't matter.
  private func releases(_ log: CallLog) -> [String] {
    log.lines.filter { $0.hasSuffix("released") }.sorted()
  }

  @Test(arguments: Ending.allCases, chains.indices)
  func anEndBetweenValuesReleasesBeforeItReturns(ending: Ending, chain: Int) {
    let log = CallLog()
    let subject = IntSubject()
    let keeper = Self.chains[chain].1(subject, log) { _ in }
    subject.send(1)
    log.removeAll()
    ending.end(subject, keeper)
    expectEqual(releases(log), Self.both, "\(Self.chains[chain].0)")
    withExtendedLifetime(keeper) {}
    subject.send(completion: .finished)
  }

  @Test(arguments: Ending.allCases, chains.indices)
  func anEndInsideAValueReleasesAfterIt(ending: Ending, chain: Int) {
    let log = CallLog()
    let subject = IntSubject()
    nonisolated(unsafe) weak var inside: AnyCancellable?
    let keeper = Self.chains[chain].1(subject, log) { _ in ending.end(subject, inside) }
    inside = keeper
    subject.send(1)
    let end = log.lines.firstIndex { $0.hasPrefix("end") }
    let release = log.lines.firstIndex { $0.hasSuffix("released") }
    #expect(end != nil && release != nil && end! < release!, "\(Self.chains[chain].0) \(log.lines)")
    expectEqual(releases(log), Self.both, "\(Self.chains[chain].0)")
    withExtendedLifetime(keeper) {}
    subject.send(completion: .finished)
  }

  @Test(arguments: Ending.allCases, chains.indices)
  func anEndOnAnotherThreadReleasesOnceAndNotInsideAValue(ending: Ending, chain: Int) {
    for _ in 0..<60 {
      let log = CallLog()
      let subject = IntSubject()
      let keeper = Self.chains[chain].1(subject, log) { _ in sched_yield() }
      onThreads(3) { thread in
        if thread < 2 {
          for value in 0..<10 { subject.send(value) }
        } else {
          sched_yield()
          ending.end(subject, keeper)
        }
      }
      let lines = log.lines
      expectEqual(releases(log), Self.both, "\(Self.chains[chain].0)")
      let release = lines.firstIndex { $0 == "value closure released" } ?? 0
      #expect(!lines[release...].contains { $0.hasPrefix("end") })
      subject.send(completion: .finished)
    }
  }

  /// A publisher from elsewhere, with the usual subscription: it forgets its subscriber at the end.
  private final class Foreign: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    final class Connection: Subscription {
      var downstream: AnySubscriber<Int, TestError>?
      init(_ downstream: AnySubscriber<Int, TestError>) { self.downstream = downstream }
      func request(_ demand: Subscribers.Demand) {}
      func cancel() { downstream = nil }
    }

    var connection: Connection?

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == TestError {
      let connection = Connection(AnySubscriber(subscriber))
      self.connection = connection
      subscriber.receive(subscription: connection)
    }

    func send(_ value: Int) { _ = connection?.downstream?.receive(value) }
    func finish() {
      let downstream = connection?.downstream
      connection?.downstream = nil
      downstream?.receive(completion: .finished)
    }
  }

  @Test(arguments: [0, 1, 2]) func aForeignPublisherReleasesWithItsSubscriber(ending: Int) {
    let log = CallLog()
    let source = Foreign()
    nonisolated(unsafe) weak var inside: AnyCancellable?
    let keeper = Self.sink(source.map { $0 }, log) { _ in if ending == 2 { inside?.cancel() } }
    inside = keeper
    source.send(1)
    if ending == 0 { keeper.cancel() } else if ending == 1 { source.finish() }
    expectEqual(releases(log), Self.both, "\(log.lines)")
    withExtendedLifetime(keeper) {}
  }
}
