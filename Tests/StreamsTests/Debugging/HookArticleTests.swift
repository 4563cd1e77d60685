import Streams
import Testing

// The code in docs/debugging.md, and its test.

// region: hook
/// Prints each value, each end, each request and each cancellation.
final class SignalPrinter: _Introspection {
  func willReceive<S>(subscriber: S, input: S.Input) where S: Subscriber {
    print("\(subscriber) receives \(input)")
  }

  func willReceive<S>(subscriber: S, completion: Subscribers.Completion<S.Failure>)
  where S: Subscriber {
    print("\(subscriber) receives \(completion)")
  }

  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    print("\(subscription) is asked for \(demand)")
  }

  func willCancel(subscription: any Subscription) {
    print("\(subscription) is cancelled")
  }
}
// endregion

private func printSignals() {
  // region: use
  let printer = SignalPrinter()
  printer.enable()
  let prices = PassthroughSubject<Int, Never>()
  let subscription = prices.map { $0 * 2 }.removeDuplicates().sink { _ in }
  for price in [4, 4] { prices.send(price) }
  subscription.cancel()
  printer.disable()
  // endregion
}

@Test private func aHookPrintsEachSignal() async throws {
  let result = await #expect(
    processExitsWith: .success, observing: [\.standardOutputContent]
  ) {
    printSignals()
  }
  let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
  let lines = output.split(separator: "\n").filter { !$0.isEmpty }
  // region: output
  #expect(
    lines == [
      "RemoveDuplicates is asked for unlimited",
      "PassthroughSubject is asked for unlimited",
      "Map receives 4",
      "RemoveDuplicates receives 8",
      "Sink receives 8",
      "Map receives 4",
      "RemoveDuplicates receives 8",
      "RemoveDuplicates is cancelled",
      "PassthroughSubject is cancelled",
    ])
  // endregion
}
