import StreamsTesting
import Testing

@testable import App

@MainActor struct FaultTests {
  private func search(in world: World) -> [String] {
    world.network.stub(
      .get, "https://example.com/search/swift",
      responses: .json(#"["Swift", "Swiftlet"]"#, after: .milliseconds(100)))
    let model = SearchModel(session: world.session)
    model.query.send("swift")
    world.run()
    return model.rows.value
  }

  // region: judging
  @Test func aSearchNeverShowsAnEmptyList() {
    expectEndings(of: .everyFault) { world in
      search(in: world)
    } judging: { ending in
      ending.outcome?.isEmpty == false
    }
  }
  // endregion: judging

  // region: requests
  @Test func aSearchIsTriedOnce() {
    expectEndings(of: .everyFault.lasting) { world in
      _ = search(in: world)
      return world.network.requests
    } judging: { ending in
      ending.outcome?.count == 1
    }
  }
  // endregion: requests

  // region: snapshot
  @Test func endings() {
    expectEndings { world in search(in: world) }
  }
  // endregion: snapshot

  // region: inject
  @Test func aSearchWithoutAServerSaysSo() {
    withWorld { world in
      world.network.inject("from request 1 on, each request is refused")
      #expect(search(in: world) == ["Search failed"])
    }
  }
  // endregion: inject
}
