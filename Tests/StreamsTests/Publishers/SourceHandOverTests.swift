import Streams
import TestSupport
import Testing

/// Tests that a source delivers nothing while its subscriber is still inside
/// `receive(subscription:)`, unless the subscriber itself requests there.
@Suite struct SourceHandOverTests {
  enum Source: CaseIterable {
    case just, optional, result, sequence

    var publisher: any Publisher<Int, Never> {
      switch self {
      case .just: Just(1)
      case .optional: Int?.some(1).publisher
      case .result: Result<Int, Never>.success(1).publisher
      case .sequence: [1].publisher
      }
    }
  }

  let log = CallLog()

  /// A subscriber that logs when `receive(subscription:)` begins and ends.
  func history(_ request: @escaping (any Subscription) -> Void) -> History<Int, Never> {
    let history = History<Int, Never>(log: log)
    history.onSubscription = { [log] subscription in
      request(subscription)
      log.append("has its subscription")
    }
    return history
  }

  @Test(arguments: Source.allCases) func aRequestFromAnotherThreadIsServedAfterTheHandOver(
    source: Source
  ) {
    let history = history { subscription in
      nonisolated(unsafe) let subscription = subscription
      onAnotherThread { subscription.request(.max(1)) }
    }
    source.publisher.subscribe(history)
    expectEqual(
      log.lines.dropFirst(),
      [
        "has its subscription", "downstream: value 1", "downstream: finished",
      ])
  }

  @Test(arguments: Source.allCases) func aRequestFromTheSubscriberIsServedAtOnce(source: Source) {
    source.publisher.subscribe(history { $0.request(.max(1)) })
    expectEqual(
      log.lines.dropFirst(),
      [
        "downstream: value 1", "downstream: finished", "has its subscription",
      ])
  }

  @Test(arguments: Source.allCases) func aCancellationFromAnotherThreadIsSeen(source: Source) {
    let history = history { subscription in
      nonisolated(unsafe) let subscription = subscription
      onAnotherThread {
        subscription.request(.max(1))
        subscription.cancel()
      }
    }
    source.publisher.subscribe(history)
    expectEqual(log.lines.dropFirst(), ["has its subscription"])
  }
}
