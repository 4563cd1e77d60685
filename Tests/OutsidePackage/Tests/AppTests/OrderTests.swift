import StreamsTesting
import Testing

@testable import App

// region: within
@MainActor @Test func theLatestQueryWinsOnATrain() {
  expectSameInEveryOrder(within: .milliseconds(200)) { world in
    for query in ["sw", "swift"] {
      world.network.stub(
        .get, "https://example.com/search/\(query)",
        responses: .json("[\"\(query)\"]", after: .milliseconds(250)))
    }
    let model = SearchModel(session: world.session)
    model.query.send("sw")
    world.at(.milliseconds(400)) { model.query.send("swift") }
    world.run()
    return model.rows.value
  }
}
// endregion: within

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
