import Foundation
import Streams
import TestSupport
import Testing

struct BreakpointTests {
  @Test func closuresThatReturnFalseChangeNothing() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let note = { (line: String) in
      log.append("closure: \(line)")
      return false
    }
    let history = source.breakpoint(
      receiveSubscription: { note("subscription \($0)") }, receiveOutput: { note("value \($0)") },
      receiveCompletion: { note("\($0)") }
    ).history(demand: .max(2), perValue: .max(3), log: log)
    expectEqual(source.send(1), .max(3))
    history.request(4)
    source.fail("no more")
    log.expect([
      "upstream: subscribe", "closure: subscription upstream", "downstream: subscription upstream",
      "upstream: request max(2)", "closure: value 1", "downstream: value 1",
      "upstream: request max(4)", "closure: failure(no more)", "downstream: failure no more",
    ])
  }

  @Test func downstreamGetsUpstreamsOwnSubscription() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, TestError>()
    let received = Locked([CombineIdentifier]())
    history.onSubscription = { subscription in
      received.withLock { $0.append(subscription.combineIdentifier) }
    }
    source.breakpoint().subscribe(history)
    expectEqual(received.withLock { $0 }, source.subscriptions.map(\.combineIdentifier))
  }

  @Test func eachClosureStopsBeforeItsEventIsPassedOn() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGTRAP), observing: [\.standardOutputContent]
    ) {
      printEvents([1, 2, 3].publisher.breakpoint(receiveOutput: { $0 == 2 }))
    }
    try expectLines(result, ["subscription", "value 1"])
    let atStart = await #expect(
      processExitsWith: .signal(SIGTRAP), observing: [\.standardOutputContent]
    ) {
      printEvents([1].publisher.breakpoint(receiveSubscription: { _ in true }))
    }
    try expectLines(atStart, [])
    let atEnd = await #expect(
      processExitsWith: .signal(SIGTRAP), observing: [\.standardOutputContent]
    ) {
      printEvents([1].publisher.breakpoint(receiveCompletion: { $0 == .finished }))
    }
    try expectLines(atEnd, ["subscription", "value 1"])
  }

  @Test func breakpointOnErrorStopsForAFailureOnly() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGTRAP), observing: [\.standardOutputContent]
    ) {
      printEvents(Just(1).breakpointOnError())
      printEvents(Fail<Int, TestError>(error: "no").breakpointOnError())
    }
    try expectLines(result, ["subscription", "value 1", "end", "subscription"])
  }

  @Test func aDebuggerThatContinuesLosesNothing() async {
    await #expect(processExitsWith: .exitCode(3)) {
      // This handler stays and returns, as if a debugger had continued.
      signal(SIGTRAP) { _ in stops.withLock { $0 += 1 } }
      let history = [1, 2].publisher.breakpoint(receiveOutput: { _ in true }).history()
      expectEqual(history.text, "[1, 2]: 1 2 |")
      exit(stops.withLock { $0 } == 2 ? 3 : 1)
    }
  }

  // Swift's backtracer is such a handler, and it's on by default on Linux.
  @Test func aCrashReporterThatReturnsDoesNotSaveTheProgram() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGTRAP), observing: [\.standardOutputContent]
    ) {
      signal(SIGTRAP) { number in signal(number, SIG_DFL) }
      printEvents([1, 2].publisher.breakpoint(receiveOutput: { $0 == 2 }))
    }
    try expectLines(result, ["subscription", "value 1"])
  }

  private func expectLines(_ result: ExitTest.Result?, _ expected: [String]) throws {
    let bytes = try #require(result).standardOutputContent
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    // The test program prints lines of its own.
    expectEqual(lines.filter { $0.hasPrefix("event ") }, expected.map { "event \($0)" })
  }
}

private let stops = Locked(0)

/// Prints each event on a line of its own, at once.
private func printEvents<P: Publisher<Int, F>, F: Error>(_ publisher: P) {
  let put: @Sendable (String) -> Void = { line in
    FileHandle.standardOutput.write(Data("event \(line)\n".utf8))
  }
  let history = History<Int, F>()
  history.onSubscription = { subscription in
    put("subscription")
    subscription.request(.unlimited)
  }
  history.onValue = { value in
    put("value \(value)")
    return .none
  }
  history.onCompletion = { _ in put("end") }
  publisher.subscribe(history)
}
