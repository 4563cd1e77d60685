import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct CacheWithAnAgeTests {
  // region: test
  @Test func `One request serves everyone for a minute`() throws {
    let world = try World.current
    let url = URL(string: "https://example.com/rates")!
    world.network.stub(
      .get, url.absoluteString,
      responses: .text("1.10", after: .milliseconds(200)), .text("1.15", after: .milliseconds(200)))
    let rates = AgingCache(age: .seconds(60), scheduler: DispatchQueue.main) {
      world.session.dataTaskPublisher(for: url)
        .map { String(decoding: $0.data, as: UTF8.self) }
        .eraseToAnyPublisher()
    }

    let first = world.record(rates.value, as: "first")
    let second = world.record(rates.value, as: "second")
    world.run()
    world.advance(to: .seconds(30))
    let third = world.record(rates.value, as: "third")
    world.advance(to: .seconds(61))
    let fourth = world.record(rates.value, as: "fourth")
    world.run()

    #expect(first.values == ["1.10"])
    #expect(second.values == ["1.10"])
    #expect(
      third.events == [
        .subscription(at: .seconds(30)), .value("1.10", at: .seconds(30)),
        .finished(at: .seconds(30)),
      ])
    #expect(fourth.values == ["1.15"])
  }
  // endregion

  @Test func `A failure isn't kept`() throws {
    let world = try World.current
    var results: [Result<Int, Oops>] = [.failure(Oops()), .success(1)]
    let cache = AgingCache(age: .seconds(60), scheduler: DispatchQueue.main) {
      results.removeFirst().publisher.eraseToAnyPublisher()
    }
    let first = world.record(cache.value)
    let second = world.record(cache.value)
    #expect(first.events == [.subscription(at: .zero), .failure(Oops(), at: .zero)])
    #expect(
      second.events == [.subscription(at: .zero), .value(1, at: .zero), .finished(at: .zero)])
  }

  @Test func `A load without a value isn't kept`() throws {
    let world = try World.current
    var results = [Empty<Int, Never>().eraseToAnyPublisher(), Just(1).eraseToAnyPublisher()]
    let cache = AgingCache(age: .seconds(60), scheduler: DispatchQueue.main) {
      results.removeFirst()
    }
    #expect(world.record(cache.value).events == [.subscription(at: .zero), .finished(at: .zero)])
    #expect(world.record(cache.value).values == [1])
  }

  @Test func `A value is old exactly after its age`() throws {
    let world = try World.current
    var count = 0
    let cache = AgingCache<Int, Never, _>(age: .seconds(1), scheduler: DispatchQueue.main) {
      count += 1
      return Just(count).eraseToAnyPublisher()
    }
    #expect(world.record(cache.value).values == [1])
    world.advance(by: .milliseconds(999))
    #expect(world.record(cache.value).values == [1])
    world.advance(by: .milliseconds(1))
    #expect(world.record(cache.value).values == [2])
  }

  @Test func `A load goes on for the others if one cancels`() throws {
    let world = try World.current
    let cache = AgingCache<Int, Never, _>(age: .seconds(1), scheduler: DispatchQueue.main) {
      Just(1).delay(for: .milliseconds(10), scheduler: DispatchQueue.main).eraseToAnyPublisher()
    }
    let first = world.record(cache.value)
    let second = world.record(cache.value)
    first.cancel()
    world.run()
    #expect(first.events == [.subscription(at: .zero), .cancelled(at: .zero)])
    #expect(second.values == [1])
  }
}
