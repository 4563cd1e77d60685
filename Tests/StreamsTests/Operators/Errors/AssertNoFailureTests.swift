import Streams
import TestSupport
import Testing

struct AssertNoFailureTests {
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
    expectEqual(publisher.prefix, "settings")
    #expect("\(publisher.file)".hasSuffix("AssertNoFailureTests.swift"))
    expectEqual(publisher.line, #line - 3)
  }
}
