import Foundation
import StreamsTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private let url = "https://example.com/search/swift"

/// Tests that end with an error whose reason is a request that no stub matches. They also leave
/// something over, which isn't the reason.
private func searchForTheWrongWord(in world: World) throws -> [String] {
  world.network.stub(.get, url, responses: .json(#"["Swift"]"#))
  world.clock.schedule(after: .seconds(9)) {}
  let rows = world.record(
    world.session.dataTaskPublisher(for: URL(string: url + "let")!)
      .map(\.data).decode(type: [String].self, decoder: JSONDecoder())
      .replaceError(with: []).filter { !$0.isEmpty })
  world.run(until: .seconds(1))
  return rows.values.flatMap(\.self)
}

@Suite(.world) struct HiddenReasons {
  @Test func required() throws {
    _ = try #require(try searchForTheWrongWord(in: World.current).first)
  }

  @Test func requiredInATask() async throws {
    await Task.yield()
    _ = try #require(try searchForTheWrongWord(in: World.current).first)
  }
}

final class HiddenReasonsInXCTest: XCTestCase {
  static var allTests: [(String, (HiddenReasonsInXCTest) -> () throws -> Void)] {
    [("testUnwraps", testUnwraps), ("testUnwrapsInATask", asyncTest(testUnwrapsInATask))]
  }

  func testUnwraps() throws {
    try withWorld { _ = try XCTUnwrap(try searchForTheWrongWord(in: $0).first) }
  }

  func testUnwrapsInATask() async throws {
    try await withWorld { world in
      await Task.yield()
      _ = try XCTUnwrap(try searchForTheWrongWord(in: world).first)
    }
  }
}

final class HiddenReasonsInWorldTestCase: WorldTestCase {
  private struct NoRows: Error {}

  static var allTests: [(String, (HiddenReasonsInWorldTestCase) -> () throws -> Void)] {
    [("testThrows", testThrows)]
  }

  func testThrows() throws {
    if try searchForTheWrongWord(in: World.current).isEmpty { throw NoRows() }
  }
}
