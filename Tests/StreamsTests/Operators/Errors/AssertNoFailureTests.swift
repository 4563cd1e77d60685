import Streams
import TestSupport
import Testing

struct AssertNoFailureTests {
  @Test func passesEverythingElseOnUnchanged() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, Never>(demand: .max(1), perValue: .max(2), log: log)
    source.assertNoFailure().subscribe(history)
    #expect(source.send(1) == .max(2))
    history.request(3)
    source.finish()
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(1)",
        "downstream: value 1", "upstream: request max(3)", "downstream: finished",
        "upstream: cancel",
      ])
  }

  @Test func aFailureStopsTheProgramWithTheErrorAndThePlace() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let source = ScriptedPublisher<Int, TestError>()
      _ = source.assertNoFailure("settings", file: "Settings.swift", line: 12).history()
      source.fail("no more")
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("Settings.swift:12: Fatal error: settings: no more"))
  }

  @Test func withoutAPrefixTheMessageIsTheError() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let source = ScriptedPublisher<Int, TestError>()
      _ = source.assertNoFailure().history()
      source.fail("no more")
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("Fatal error: no more"))
  }

  @Test func storesItsPrefixFileAndLine() {
    let source = ScriptedPublisher<Int, TestError>()
    let publisher = source.assertNoFailure("settings")
    #expect(publisher.prefix == "settings")
    #expect("\(publisher.file)".hasSuffix("AssertNoFailureTests.swift"))
    #expect(publisher.line == #line - 3)
  }
}
