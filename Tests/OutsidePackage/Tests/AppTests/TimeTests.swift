import StreamsTesting
import Testing

@testable import App

// region: search
@MainActor @Test func theLatestQueryWinsAtAnyTime() {
  expectSameAtAnyTime { world in
    for (query, milliseconds) in [("sw", 50), ("swift", 51)] {
      world.network.stub(
        .get, "https://example.com/search/\(query)",
        responses: .json("[\"\(query)\"]", after: .milliseconds(milliseconds)))
    }
    let model = SearchModel(session: world.session)
    model.query.send("sw")
    world.at(.milliseconds(400)) { model.query.send("swift") }
    world.run()
    return model.rows.value
  }
}
// endregion: search

// region: move
@MainActor @Test func aSlowResponseToAnOldQuery() {
  withWorld(moving: "GET /search/sw to 750ms") { world in
    for query in ["sw", "swift"] {
      world.network.stub(
        .get, "https://example.com/search/\(query)",
        responses: .json("[\"\(query)\"]", after: .milliseconds(50)))
    }
    let model = SearchModel(session: world.session)
    model.query.send("sw")
    world.at(.milliseconds(400)) { model.query.send("swift") }
    world.run()
    #expect(model.rows.value == ["swift"])
  }
}
// endregion: move
