import Foundation
import Streams
import TestSupport
import Testing

/// Tests the promises of all operators that deliver on a scheduler, if that has several threads.
struct GatedDeliveryTests {
  enum Operator: CaseIterable {
    case receiveOn, delay

    func apply(
      _ source: ScriptedPublisher<Int, TestError>, _ scheduler: ManualScheduler
    ) -> AnyPublisher<Int, TestError> {
      switch self {
      case .receiveOn: source.receive(on: scheduler).eraseToAnyPublisher()
      case .delay: source.delay(for: .zero, scheduler: scheduler).eraseToAnyPublisher()
      }
    }
  }

  @Test(arguments: Operator.allCases)
  func aValueWaitsUntilDownstreamHasItsSubscription(_ operation: Operator) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>()
    let hasRun = DispatchSemaphore(value: 0)
    history.onSubscription = { subscription in
      subscription.request(.unlimited)
      source.send(1)
      Thread.detachNewThread {
        scheduler.runLast()
        hasRun.signal()
      }
      // Time for the thread to come first, if nothing kept it.
      for _ in 0..<20_000 where log.lines.isEmpty { sched_yield() }
      log.append("subscribed")
    }
    history.onValue = { value in
      log.append("\(value)")
      return .none
    }
    operation.apply(source, scheduler).subscribe(history)
    hasRun.wait()
    expectEqual(log.lines, ["subscribed", "1"])
    history.onSubscription = nil
    history.onValue = nil
    history.cancel()
  }

  /// The gate keeps downstream until the delivery is over.
  @Test(arguments: Operator.allCases)
  func nothingIsDeliveredWithinADeliveryThatHasCancelled(_ operation: Operator) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>()
    history.onValue = { _ in
      history.cancel()
      scheduler.run()
      return .none
    }
    operation.apply(source, scheduler).subscribe(history)
    source.send(1)
    source.send(2)
    scheduler.run()
    expectEqual(history.values, [1])
    expectEqual(history.completion, nil)
    expectEqual(source.calls, [.request(.unlimited), .cancel])
    history.onValue = nil
  }
}
