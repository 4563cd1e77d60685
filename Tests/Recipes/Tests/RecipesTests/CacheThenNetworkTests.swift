import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct CacheThenNetworkTests {
  // region: test
  @Test func `The old news are shown until the new ones are there`() throws {
    let world = try World.current
    let cache = world.cold("-o|", ["o": "old"])
      .lane("cache")
    let network = world.cold("-----n|", ["n": "new"], failure: URLError(.timedOut))
      .lane("network")
    let shown = world.record(network.showingFirst(cache), as: "shown")
    world.run()

    #expect(
      shown.events == [
        .subscription(at: .zero), .value("old", at: .milliseconds(1)),
        .value("new", at: .milliseconds(5)), .finished(at: .milliseconds(6)),
      ])
  }
  // endregion

  @Test(arguments: [
    // cache, network, shown
    ("----o|", "-n|", "-n---|"), ("-o|", "--#", "-o|"), ("-|", "--#", "--#"),
    ("--o|", "#", "--o|"), ("--|", "#", "--#"), ("-|", "--n|", "--n|"),
  ])
  func `The fresh value wins, and a failure counts only without a cached one`(
    cache: String, network: String, shown: String
  ) throws {
    let world = try World.current
    let result = world.record(
      world.cold(network, failure: URLError(.timedOut)).showingFirst(world.cold(cache)))
    world.run()
    expectMarbles(result, shown, failure: URLError(.timedOut))
  }

  @Test func `A cancellation ends both`() throws {
    let world = try World.current
    let cache = world.cold("-----|")
    let network = world.cold("-----|")
    let result = world.record(network.showingFirst(cache))
    world.at(.milliseconds(2)) { result.cancel() }
    world.run()
    expectSubscriptions(cache, ["^-!"])
    expectSubscriptions(network, ["^-!"])
    #expect(result.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(2))])
  }
}
