import StreamsTesting
import Testing

@testable import App

// region: model
@MainActor @Test func theLatestQueryWinsInEveryOrder() {
  expectSameInEveryOrder { world in
    // The response for "sw" is due at 700 ms. That's also when the pause after "swift" is over.
    for (query, milliseconds) in [("sw", 400), ("swift", 100)] {
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
// endregion: model

// region: recorder
@Test func aSumDoesNotDependOnTheOrder() {
  expectSameInEveryOrder(departures: 2) { world in
    let clicks = world.hot("--1--|", ["1": 1])
    let keys = world.hot("--2--|", ["2": 2])
    _ = world.record(clicks.merge(with: keys).reduce(0, +), as: "sum")
    world.run()
  }
}
// endregion: recorder

// region: schedule
@Test func theOtherOrderAgain() {
  withWorld(schedule: "2ms:1") { world in
    let clicks = world.hot("--1--|", ["1": 1])
    let keys = world.hot("--2--|", ["2": 2])
    let both = world.record(clicks.merge(with: keys))
    world.run()
    #expect(both.values == [2, 1])
  }
}
// endregion: schedule

// region: snapshot
@Test func showsClicksAndKeys() {
  expectSnapshot { world in
    let clicks = world.hot("--a--|")
    let keys = world.hot("--b--|")
    _ = world.record(clicks, as: "clicks")
    _ = world.record(keys, as: "keys")
    world.run()
    return world.transcript
  }
}
// endregion: snapshot
