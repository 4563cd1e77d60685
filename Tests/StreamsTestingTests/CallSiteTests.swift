#if canImport(Runtime) && os(Linux)
  import Runtime
  import Testing
  import VirtualWorld

  @testable import StreamsTesting

  /// The lines of calls are looked up one by one, or together if this Swift can't do that.
  @Suite struct CallSiteTests {
    private static let images = ImageMap.capture()

    @Test func anyCallOfABacktraceMakesABacktraceOfItsOwn() async throws {
      let backtrace = try Backtrace.capture(top: 0, images: Self.images)
      let calls = backtrace.frames.filter { !$0.adjustedProgramCounter.isNull }
      let kinds = Set(calls.map { "\($0)".split(separator: " ").dropFirst().joined() })
      #expect(kinds == ["[ra]", "[async]"])
      for call in calls {
        #expect(backtrace.only(call)?.frames.map(\.description) == [call.description])
      }
    }

    @Test(arguments: [true, false]) func findsTheLineOfTheCall(oneByOne: Bool) throws {
      let line = #line + 1
      let backtrace = try Backtrace.capture(limit: 3, top: 0, images: Self.images)
      var lookUps = 0
      var lines = Lines(images: Self.images) { backtrace, call in
        lookUps += 1
        return oneByOne ? backtrace.only(call) : nil
      }
      for _ in 1...2 {
        let source = lines.innermostSource(of: backtrace)
        #expect(source?.fileName == "CallSiteTests.swift")
        #expect(source?.filePath == #filePath)
        #expect(source?.line == line)
      }
      #expect(lookUps == 1)
    }
  }
#endif
