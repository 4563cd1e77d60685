#if canImport(Runtime) && os(Linux)
  import Foundation
  import Runtime
  import Streams
  import TestSupport
  import Testing
  import VirtualWorld

  @testable import StreamsTesting

  /// The place of a call, which is taken wherever a closure of the user's runs.
  @Suite struct CallSiteTests {
    @Test func eachReturnAddressMakesABacktraceOfItsOwn() {
      for address in Thread.callStackReturnAddresses.map(\.uintValue) {
        let frames = Backtrace(returnAddress: address)?.frames.map { $0 } ?? []
        #expect(frames.map { UInt64($0.originalProgramCounter) } == [UInt64(address)])
      }
    }

    @Test func aLineIsLookedUpOnce() {
      let line = #line + 1
      let addresses = Thread.callStackReturnAddresses.map(\.uintValue)
      var calls = Calls()
      var lookUps: [Int] = []
      for _ in 1...2 {
        let source = calls.innermostSource(of: addresses)
        #expect(source?.fileName == "CallSiteTests.swift")
        #expect(source?.filePath == #filePath)
        #expect(source?.line == line)
        lookUps.append(calls.lookUps)
      }
      #expect(lookUps[0] > 0)
      #expect(lookUps[1] == lookUps[0])
    }

    private struct Unrelated: Error {}

    private static func lineAndSite() -> (line: Int, site: CallSite) { (#line, CallSite()) }

    private func expectLine(_ taken: (line: Int, site: CallSite)?) {
      #expect(taken?.site.source?.line == taken?.line)
      #expect(taken?.site.source?.fileName == "CallSiteTests.swift")
    }

    /// Functions of other libraries call closures, and use the register of the frame pointer for
    /// other things.
    @Test func closuresOfOtherLibrariesHaveTheirLines() async throws {
      var taken: [(line: Int, site: CallSite)] = []
      for comment in ["short", "longer than fifteen bytes", String(repeating: "long ", count: 99)] {
        withKnownIssue("\(comment)") {
          taken.append(Self.lineAndSite())
          Issue.record("known")
        }
        await withKnownIssue("\(comment)") { () async in
          await Task.yield()
          taken.append(Self.lineAndSite())
          Issue.record("known")
        }
        await confirmation("\(comment)") { confirm in
          await Task.yield()
          taken.append(Self.lineAndSite())
          confirm()
        }
        #expect(throws: Unrelated.self, "\(comment)") {
          taken.append(Self.lineAndSite())
          throw Unrelated()
        }
        await #expect(throws: Unrelated.self, "\(comment)") { () async throws in
          await Task.yield()
          taken.append(Self.lineAndSite())
          throw Unrelated()
        }
        _ = try #require([comment].map { _ in Self.lineAndSite() }.first, "\(comment)")
      }
      var numbers = [3, 1, 2]
      numbers.sort { first, second in
        taken.append(Self.lineAndSite())
        return first < second
      }
      [1].withUnsafeBufferPointer { _ in taken.append(Self.lineAndSite()) }
      let url = FileManager.default.temporaryDirectory
      let paths = FileManager.default.enumerator(at: url, includingPropertiesForKeys: []) { _, _ in
        true
      }
      _ = paths?.nextObject()
      NSArray(array: [NSNumber(value: 1)]).enumerateObjects { _, _, _ in
        taken.append(Self.lineAndSite())
      }
      #expect(taken.count >= 3 * 5 + 3)
      for each in taken { expectLine(each) }
    }

    @Test func callsOnOtherThreadsHaveTheirLines() async {
      let taken = Locked<[(line: Int, site: CallSite)]>([])
      let note: @Sendable () -> Void = { taken.withLock { $0.append(Self.lineAndSite()) } }
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group, execute: note)
      DispatchQueue(label: "own").async(group: group, flags: .barrier, execute: note)
      group.enter()
      Thread.detachNewThread {
        note()
        group.leave()
      }
      group.enter()
      let operations = OperationQueue()
      operations.addOperation {
        note()
        group.leave()
      }
      DispatchQueue.concurrentPerform(iterations: 3) { _ in note() }
      await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
      }
      await withTaskGroup { group in for _ in 1...3 { group.addTask { note() } } }
      await Task.detached { note() }.value
      await MainActor.run { note() }
      let all = taken.withLock { $0 }
      #expect(all.count == 12)
      for each in all { expectLine(each) }
    }

    @inline(never) private func recurse(_ depth: Int, _ body: () -> Void) {
      depth == 0 ? body() : recurse(depth - 1, body)
      withExtendedLifetime(depth) {}
    }

    @Test func aDeepRecursionHasTheInnermostLine() {
      recurse(10_000) { expectLine(Self.lineAndSite()) }
    }

    private final class Shared: Sendable {
      static let direct = Shared()
      static let ofAClosure: Shared = {
        // Not in the closure of another library alone.
        [1].map { _ in Shared() }[0]
      }()
      let site = CallSite()
    }

    @Test func knowsTheInitializersOfGlobals() {
      #expect(Shared.direct.site.isInGlobalInitializer)
      #expect(Shared.ofAClosure.site.isInGlobalInitializer)
      #expect(!Shared().site.isInGlobalInitializer)
      #expect(!CallSite().isInGlobalInitializer)
    }
  }
#endif
