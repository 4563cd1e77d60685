import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct MaterializeTests {
  // region: test
  @Test func `One failed upload doesn't end the others`() throws {
    let world = try World.current
    let files = world.hot("a--b-|")
      .lane("files")
    let uploads = files.flatMap { file in
      world.cold(file == "a" ? "-#" : "--x|", failure: URLError(.timedOut)).materialize()
    }
    let results = world.record(uploads, as: "results")
    world.run()

    #expect(
      results.events == [
        .subscription(at: .zero), .value(.failure(URLError(.timedOut)), at: .milliseconds(1)),
        .value(.value("x"), at: .milliseconds(5)), .value(.finished, at: .milliseconds(6)),
        .finished(at: .milliseconds(6)),
      ])
  }
  // endregion

  @Test func `Back and forth changes nothing`() throws {
    let world = try World.current
    let finishing = world.record(world.cold("-a-b|").materialize().dematerialize())
    let failing = world.record(world.cold("-a-#", failure: Oops()).materialize().dematerialize())
    world.run()
    #expect(
      finishing.events == [
        .subscription(at: .zero), .value("a", at: .milliseconds(1)),
        .value("b", at: .milliseconds(3)), .finished(at: .milliseconds(4)),
      ])
    #expect(
      failing.events == [
        .subscription(at: .zero), .value("a", at: .milliseconds(1)),
        .failure(Oops(), at: .milliseconds(3)),
      ])
  }

  @Test func `The first end counts`() throws {
    let world = try World.current
    let events: [StreamEvent<Int, Oops>] = [.value(1), .finished, .value(2)]
    let result = world.record(events.publisher.dematerialize())
    #expect(
      result.events == [.subscription(at: .zero), .value(1, at: .zero), .finished(at: .zero)])
  }
}
