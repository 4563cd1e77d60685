import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct LimitTheRateTests {
  // region: test
  @Test func `Two requests in a second`() throws {
    let world = try World.current
    world.network.serve("https://example.com") { request in
      .text(request.url?.lastPathComponent ?? "", after: .milliseconds(200))
    }

    let names = world.hot("(abc)--d|", frame: .milliseconds(200))
    let session = world.session
    let texts =
      names
      .lane("names")
      .limitRate(to: 2, per: .seconds(1), scheduler: DispatchQueue.main)
      .lane("limitRate")
      .setFailureType(to: URLError.self)
      .flatMap { session.dataTaskPublisher(for: URL(string: "https://example.com/\($0)")!) }
      .map { String(decoding: $0.data, as: UTF8.self) }
    let result = world.record(texts)
    world.run()

    #expect(
      result.events == [
        .subscription(at: .zero), .value("a", at: .milliseconds(200)),
        .value("b", at: .milliseconds(200)), .value("c", at: .milliseconds(1200)),
        .value("d", at: .milliseconds(1600)), .finished(at: .milliseconds(2400)),
      ])
  }
  // endregion

  @Test func `No interval has more than the limit`() throws {
    let world = try World.current
    let result = world.record(
      world.hot("a--b-cd-------e-|", frame: .milliseconds(100))
        .limitRate(to: 2, per: .seconds(1), scheduler: DispatchQueue.main))
    world.run()
    #expect(result.values == ["a", "b", "c", "d", "e"])
    #expect(result.times == [0, 300, 1000, 1300, 2000].map { .milliseconds($0) })
  }

  @Test func `A failure doesn't wait`() throws {
    let world = try World.current
    let result = world.record(
      world.hot("(abc)--#", failure: URLError(.timedOut), frame: .milliseconds(100))
        .limitRate(to: 2, per: .seconds(1), scheduler: DispatchQueue.main))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero), .value("a", at: .zero), .value("b", at: .zero),
        .failure(URLError(.timedOut), at: .milliseconds(700)),
      ])
  }

  @Test func `A cancellation ends the waiting`() throws {
    let world = try World.current
    let result = world.record(
      ["a", "b", "c"].publisher
        .limitRate(to: 2, per: .seconds(1), scheduler: DispatchQueue.main))
    world.at(.milliseconds(100)) { result.cancel() }
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero), .value("a", at: .zero), .value("b", at: .zero),
        .cancelled(at: .milliseconds(100)),
      ])
  }

  @Test func `Values that a subscriber leaves waiting come at once later`() throws {
    let world = try World.current
    let result = world.record(
      ["a", "b", "c", "d"].publisher
        .limitRate(to: 1, per: .seconds(1), scheduler: DispatchQueue.main), demand: .none)
    world.at(.seconds(10)) { result.request(.unlimited) }
    world.run()
    #expect(result.times == [10, 10, 10, 10].map { .seconds($0) })
  }
}
