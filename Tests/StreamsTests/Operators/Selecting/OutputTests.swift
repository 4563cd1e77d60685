import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `EarlyEndTests`.
struct OutputTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test func publishesTheValuesInItsRangeAndRequestsOneMoreForEachEarlierOne() {
    let history = source.output(in: 2..<4).history(demand: .max(2), perValue: .max(5))
    expectEqual(
      [10, 11, 12, 13, 14].map { source.send($0) }, [.max(1), .max(1), .max(5), .max(5), .none])
    expectEqual(history.text, "Output: 12 13 |")
    expectEqual(source.calls, [.request(.max(2)), .cancel])
  }

  @Test(arguments: [0..<0, 2..<2, Int.max..<Int.max])
  func withAnEmptyRangeItCancelsUpstreamAndFinishesOnAttaching(range: Range<Int>) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.output(in: range).history(log: log)
    expectEqual(source.send(1), .none)
    source.finish()
    history.cancel()
    log.expect([
      "upstream: subscribe", "upstream: cancel", "downstream: subscription Output",
      "downstream: finished",
    ])
    expectEqual(source.sendSubscription().calls, [.cancel])
  }

  @Test func aPrefixOfZeroFinishesWithoutDemand() {
    expectEqual(source.prefix(0).history(demand: .none).text, "Output: |")
  }

  @Test func aCancellationWhileAttachingPreventsTheImmediateCompletion() {
    let history = History<Int, TestError>()
    history.onSubscription = { $0.cancel() }
    source.prefix(0).subscribe(history)
    expectEqual(history.text, "Output:")
    expectEqual(source.calls, [.cancel])
  }

  @Test func aSourceEndsWithThePrefix() {
    for source in [Just(7).eraseToAnyPublisher(), (7...).publisher.eraseToAnyPublisher()] {
      expectEqual(source.prefix(1).history().text, "Output: 7 |")
      expectEqual(source.prefix(0).history().text, "Output: |")
      expectEqual(source.prefix(1).history(demand: .max(1)).text, "Output: 7 |")
    }
  }

  @Test func storesItsRange() {
    let publisher = Empty<Int, Never>()
    expectEqual(publisher.prefix(3).range, 0..<3)
    expectEqual(publisher.output(at: 3).range, 3..<4)
    expectEqual(publisher.output(in: 2...4).range, 2..<5)
    expectEqual(publisher.output(in: ..<4).range, 0..<4)
    expectEqual(publisher.output(in: 3...).range, 3..<Int.max)
  }

  @Test func negativeIndicesAndIntMaxTrap() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: .max) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(in: (-1)...) }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.Output(upstream: Empty<Int, Never>(), range: -1..<4)
    }
  }
}
