// region: withWorld
import StreamsTesting
import XCTest

@testable import App

final class SearchModelXCTests: XCTestCase {
  @MainActor func testShowsWhatWasFound() async {
    withWorld { world in
      world.network.stub(
        .get, "https://example.com/search/swift",
        responses: .json(#"["Swift"]"#, after: .milliseconds(100)))
      let model = SearchModel(session: world.session)
      model.query.send("swift")
      world.run()
      XCTAssertEqual(model.rows.value, ["Swift"])
    }
  }
}
// endregion: withWorld

// region: WorldTestCase
final class SearchFailureXCTests: WorldTestCase {
  @MainActor func testShowsThatTheSearchFailed() async throws {
    let world = try World.current
    world.network.stub(
      .get, "https://example.com/search/swift", responses: .failure(.notConnectedToInternet))
    let model = SearchModel(session: world.session)
    model.query.send("swift")
    world.run()
    XCTAssertEqual(model.rows.value, ["Search failed"])
  }
}
// endregion: WorldTestCase
