import ScenarioKit
import StreamsTesting

let scenario = Scenario(
  "run-marbles", "Move what comes in, and see what an operator lets out.")

/// The error of an input that fails.
struct Lost: Error {}

extension World {
  /// An input whose marbles a reader moves. A sign stands for 100 ms.
  func input(
    _ marbles: String, _ values: [Character: String] = [:], as name: String, line: Int = #line
  ) -> some Publisher<String, Never> {
    hot(marbles, values, frame: .milliseconds(100), as: name).lane(name, line: line)
  }

  /// An input that ends with an error.
  func failing(_ marbles: String, as name: String) -> HotPublisher<String, Lost> {
    hot(marbles, [:], failure: Lost(), frame: .milliseconds(100), as: name)
  }

  /// Shows what comes out.
  func show(_ output: some Publisher<String, some Error>, line: Int = #line) {
    output.lane("output", line: line)
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      .store(in: &cancellables)
  }
}

/// A value that comes some time after the subscription.
func later(_ value: String, _ milliseconds: Int) -> some Publisher<String, Never> {
  Just(value).delay(for: .milliseconds(milliseconds), scheduler: DispatchQueue.main)
}

func posts(of user: String) -> some Publisher<String, Never> {
  later("\(user)1", 150).merge(with: later("\(user)2", 350)).lane("posts of \(user)")
}

// The name of a part is that of its page. `docs/site/marbles.json` has its code and its goals.

scenario.part("debounce") { world in
  let typed = world.input("--ab---c----|", ["a": "f", "b": "fi", "c": "fig"], as: "typed")
  world.show(typed.debounce(for: .milliseconds(250), scheduler: DispatchQueue.main))
}

scenario.part("throttle") { world in
  let moves = world.input("-123-----4---|", as: "moves")
  world.show(
    moves.throttle(for: .milliseconds(330), scheduler: DispatchQueue.main, latest: true))
}

scenario.part("throttle--first") { world in
  let moves = world.input("-123-----4---|", as: "moves")
  world.show(
    moves.throttle(for: .milliseconds(330), scheduler: DispatchQueue.main, latest: false))
}

scenario.part("delay") { world in
  let taps = world.input("--12---3-----|", as: "taps")
  world.show(taps.delay(for: .milliseconds(250), scheduler: DispatchQueue.main))
}

scenario.part("timeout") { world in
  let beats = world.input("--1-2-3----4-|", as: "beats")
  world.show(beats.timeout(.milliseconds(350), scheduler: DispatchQueue.main))
}

scenario.part("collect") { world in
  let orders = world.input("-12---3---4--|", as: "orders")
  world.show(
    orders.collect(.byTime(DispatchQueue.main, .milliseconds(430))).map { $0.joined() })
}

scenario.part("scan") { world in
  let coins = world.input("--1--2-5---|", as: "coins")
  world.show(coins.scan(0) { sum, coin in sum + (Int(coin) ?? 0) }.map { "\($0)" })
}

scenario.part("remove-duplicates") { world in
  let kitchen = world.input("-KK", as: "kitchen")
  let hall = world.input("----H---H", as: "hall")
  world.show(kitchen.merge(with: hall).removeDuplicates())
}

scenario.part("zip") { world in
  let tables = world.input("-1-2-3", as: "tables")
  let meals = world.input("--a--b-c", as: "meals")
  world.show(tables.zip(meals) { $0 + $1 })
}

scenario.part("combine-latest") { world in
  let names = world.input("-1---2", as: "names")
  let colours = world.input("---a---b", as: "colours")
  world.show(names.combineLatest(colours) { $0 + $1 })
}

scenario.part("merge") { world in
  let phone = world.input("-1---2", as: "phone")
  let watch = world.input("---a---b", as: "watch")
  world.show(phone.merge(with: watch))
}

scenario.part("flat-map") { world in
  let users = world.input("-A----B--|", as: "users")
  world.show(users.flatMap { posts(of: $0) })
}

scenario.part("switch-to-latest") { world in
  let users = world.input("-A----B--|", as: "users")
  world.show(users.map { posts(of: $0) }.switchToLatest())
}

scenario.part("prefix") { world in
  let ticks = world.input("-1-2-3", as: "ticks")
  let stop = world.input("-------s", as: "stop")
  world.show(ticks.prefix(untilOutputFrom: stop))
}

scenario.part("drop") { world in
  let ticks = world.input("-1--2--3", as: "ticks")
  let ready = world.input("--r", as: "ready")
  world.show(ticks.drop(untilOutputFrom: ready))
}

scenario.part("buffer") { world in
  let photos = world.input("-123-----4", as: "photos")
  world.show(
    photos.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).lane("buffer")
      .flatMap(maxPublishers: .max(1)) { photo in later(photo, 250).lane("upload of \(photo)") })
}

scenario.part("catch") { world in
  let download = world.failing("-1-2-3-#", as: "download").lane("download")
  world.show(
    download.catch { _ in later("a", 150).merge(with: later("b", 350)).lane("cached") })
}

scenario.part("retry") { world in
  let again = later("1", 100).merge(with: later("2", 300)).setFailureType(to: Lost.self)
    .merge(with: later("", 500).flatMap { _ in Fail<String, Lost>(error: Lost()) })
  var downloads = [
    world.failing("-1-2-#", as: "download").eraseToAnyPublisher(), again.eraseToAnyPublisher(),
  ]
  world.show(Deferred { downloads.removeFirst() }.lane("download").retry(1))
}

scenario.run()
