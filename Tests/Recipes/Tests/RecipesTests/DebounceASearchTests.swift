import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct DebounceASearchTests {
  // region: test
  @Test func `Only the latest query counts`() throws {
    let world = try World.current
    let typed = world.hot(
      "s-w--------c------|", ["s": "s", "w": "swi", "c": "swift"], frame: .milliseconds(100))
    let states = world.record(
      searchStates(for: typed.lane("typed"), scheduler: DispatchQueue.main) { query in
        // The first search takes 1200 ms, and the second one 100 ms.
        world.cold(
          query == "swi" ? "------------r|" : "-r|", ["r": ["\(query) 1", "\(query) 2"]],
          failure: URLError?.none, frame: .milliseconds(100)
        )
        .lane("search")
        .eraseToAnyPublisher()
      }, as: "states")
    world.run()

    #expect(
      states.events == [
        .subscription(at: .zero), .value(.searching, at: .milliseconds(500)),
        .value(.searching, at: .milliseconds(1400)),
        .value(.found(["swift 1", "swift 2"]), at: .milliseconds(1500)),
        .finished(at: .milliseconds(1800)),
      ])
  }
  // endregion

  @Test func `A failed search doesn't end the search field`() throws {
    let world = try World.current
    let typed = PassthroughSubject<String, Never>()
    let states = world.record(
      searchStates(for: typed, scheduler: DispatchQueue.main) { query in
        (query == "a"
          ? Result<[String], URLError>.failure(URLError(.timedOut)) : .success([query])).publisher
          .eraseToAnyPublisher()
      })
    typed.send("a")
    world.run()
    typed.send("b")
    world.run()
    #expect(states.values == [.searching, .failed, .searching, .found(["b"])])
    states.cancel()
  }

  @Test func `A search without a result ends the spinner`() throws {
    let world = try World.current
    let typed = PassthroughSubject<String, Never>()
    let states = world.record(
      searchStates(for: typed, scheduler: DispatchQueue.main) { _ in
        Empty().eraseToAnyPublisher()
      })
    typed.send("a")
    world.run()
    #expect(states.values == [.searching, .found([])])
    states.cancel()
  }

  @Test func `An empty field shows nothing and asks nothing`() throws {
    let world = try World.current
    let typed = PassthroughSubject<String, Never>()
    var queries: [String] = []
    let states = world.record(
      searchStates(for: typed, scheduler: DispatchQueue.main) { query in
        queries.append(query)
        return Just([]).setFailureType(to: URLError.self).eraseToAnyPublisher()
      })
    for text in ["  ", "a ", "a"] {
      typed.send(text)
      world.run()
    }
    #expect(queries == ["a"])
    #expect(states.values == [.idle, .searching, .found([])])
    states.cancel()
  }
}
