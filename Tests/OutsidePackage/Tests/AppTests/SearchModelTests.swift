// region: first
import StreamsTesting
import Testing

@testable import App

@MainActor @Test(.world) func showsWhatWasFound() throws {
  let world = try World.current
  world.network.stub(
    .get, "https://example.com/search/swift",
    responses: .json(#"["Swift", "Swiftlet"]"#, after: .milliseconds(100)))

  let model = SearchModel(session: world.session)
  model.query.send("swift")

  world.advance(by: .milliseconds(399))
  #expect(model.rows.value == [])
  world.advance(by: .milliseconds(1))
  #expect(model.rows.value == ["Swift", "Swiftlet"])
}
// endregion: first

@MainActor @Suite(.world) struct SearchModelTests {
  // region: verbs
  enum Verb: CaseIterable { case advance, run, step }

  @Test(arguments: Verb.allCases)
  func showsTheLatestQueryOnly(verb: Verb) throws {
    let world = try World.current
    world.network.stub(
      .get, "https://example.com/search/sw",
      responses: .json(#"["Swan"]"#, after: .seconds(1)))
    world.network.stub(
      .get, "https://example.com/search/swift",
      responses: .json(#"["Swift"]"#, after: .milliseconds(100)))

    let model = SearchModel(session: world.session)
    let rows = world.record(model.rows, as: "rows")
    model.query.send("sw")
    world.at(.milliseconds(400)) { model.query.send("swift") }

    switch verb {
    case .advance: world.advance(by: .seconds(2))
    case .run: world.run()
    case .step: while world.step() != nil {}
    }
    #expect(rows.values == [[], ["Swift"]])
    expectSnapshot(of: world.transcript, in: "search model", named: "the latest query")
  }
  // endregion: verbs

  // region: snapshot
  @Test func recordsOneSearch() throws {
    let world = try World.current
    world.network.stub(
      .get, "https://example.com/search/swift",
      responses: .json(#"["Swift"]"#, after: .milliseconds(100)))

    let model = SearchModel(session: world.session)
    _ = world.record(model.rows, as: "rows")
    model.query.send("swift")
    world.run()
    expectSnapshot(of: world.transcript)
  }
  // endregion: snapshot

  // region: stepping
  @Test func stepsFromOneActionToTheNext() throws {
    let world = try World.current
    world.network.stub(
      .get, "https://example.com/search/swift",
      responses: .json(#"["Swift"]"#, after: .milliseconds(100)))
    let model = SearchModel(session: world.session)
    model.query.send("swift")

    var times: [VirtualTime] = []
    while let action = world.step() { times.append(action.time) }
    // The debounced query; then the response, its body and its end.
    #expect(times == [300, 400, 400, 400].map { .milliseconds($0) })
  }
  // endregion: stepping
}
