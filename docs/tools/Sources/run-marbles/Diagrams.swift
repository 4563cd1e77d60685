import StreamsTesting

/// All diagrams, by the names of their pages.
let diagrams: [Diagram] = [
  Diagram(
    page: "debounce",
    code: "typed.debounce(for: .milliseconds(250), scheduler: DispatchQueue.main)",
    lead: "A value comes out when no newer one has come for 250 ms.",
    inputs: [.init(name: "typed", marbles: ["f", "fi", "fig"], end: .finish)], slots: 12,
    start: [[1, 2, 6, 11]],
    goals: [
      ("Drop fi, but let f and fig through.", .out(["f", "fig"])),
      ("Lose fig to the end of the stream.", .drops(["fig"])),
      ("Let all three through, and the end by 1,000 ms.", .endsBy(1000, values: 3)),
      ("Let nothing through.", .out([])),
    ]
  ) { _, inputs in
    inputs[0].debounce(for: .milliseconds(250), scheduler: DispatchQueue.main)
      .eraseToAnyPublisher()
  },
  Diagram(
    page: "throttle",
    code: "moves.throttle(for: .milliseconds(330), scheduler: DispatchQueue.main, latest: true)",
    lead: "After a value, the next one comes out 330 ms later at the earliest: the latest by then.",
    inputs: [.init(name: "moves", marbles: ["1", "2", "3", "4"], end: .finish)], slots: 12,
    start: [[0, 1, 2, 8, 12]],
    goals: [
      ("Let all four through.", .out(["1", "2", "3", "4"])),
      ("Let only 1 and 4 through.", .out(["1", "4"])),
      ("Let the output end by 500 ms.", .endsBy(500)),
    ]
  ) { _, inputs in
    inputs[0].throttle(for: .milliseconds(330), scheduler: DispatchQueue.main, latest: true)
      .eraseToAnyPublisher()
  },
  Diagram(
    page: "throttle", variant: "first",
    code: "moves.throttle(for: .milliseconds(330), scheduler: DispatchQueue.main, latest: false)",
    lead: "With latest: false, the first value of the 330 ms comes out when they're over.",
    inputs: [.init(name: "moves", marbles: ["1", "2", "3", "4"], end: .finish)], slots: 12,
    start: [[0, 1, 2, 8, 12]],
    goals: [
      ("Let all four through.", .out(["1", "2", "3", "4"])),
      ("Let only 1 and 2 through.", .out(["1", "2"])),
    ]
  ) { _, inputs in
    inputs[0].throttle(for: .milliseconds(330), scheduler: DispatchQueue.main, latest: false)
      .eraseToAnyPublisher()
  },
  Diagram(
    page: "delay",
    code: "taps.delay(for: .milliseconds(250), scheduler: DispatchQueue.main)",
    lead: "Each value comes out 250 ms later, and so does the end.",
    inputs: [.init(name: "taps", marbles: ["1", "2", "3"], end: .finish)], slots: 12,
    start: [[1, 2, 6, 12]],
    goals: [
      ("Let 3 out at 1,450 ms.", .at("3", 1450)), ("Let all three out by 600 ms.", .by(600)),
      ("Let the output end by 700 ms.", .endsBy(700)),
    ]
  ) { _, inputs in
    inputs[0].delay(for: .milliseconds(250), scheduler: DispatchQueue.main).eraseToAnyPublisher()
  },
  Diagram(
    page: "timeout",
    code: "beats.timeout(.milliseconds(350), scheduler: DispatchQueue.main)",
    lead: "The stream finishes when nothing has come for 350 ms.",
    inputs: [.init(name: "beats", marbles: ["1", "2", "3", "4"])], slots: 12,
    start: [[1, 3, 5, 10]],
    goals: [
      ("Let all four through.", .out(["1", "2", "3", "4"])),
      ("Let nothing through.", .out([])), ("Let only 1 through.", .out(["1"])),
    ]
  ) { _, inputs in
    inputs[0].timeout(.milliseconds(350), scheduler: DispatchQueue.main).eraseToAnyPublisher()
  },
  Diagram(
    page: "collect",
    code: "orders.collect(.byTime(DispatchQueue.main, .milliseconds(430)))",
    lead: "Every 430 ms, the values of that time come out together.",
    inputs: [.init(name: "orders", marbles: ["1", "2", "3", "4"], end: .finish)], slots: 12,
    start: [[0, 1, 5, 9, 12]],
    goals: [
      ("Put all four into one delivery.", .out(["1234"])),
      ("Make two deliveries of two.", .out(["12", "34"])),
      ("Let all four out by 500 ms.", .endsBy(500)),
    ]
  ) { _, inputs in
    inputs[0].collect(.byTime(DispatchQueue.main, .milliseconds(430)))
      .map { $0.joined() }
      .eraseToAnyPublisher()
  },
  Diagram(
    page: "scan",
    code: "coins.scan(0) { sum, coin in sum + coin }",
    lead: "Each value comes out added to those before it.",
    inputs: [.init(name: "coins", marbles: ["1", "2", "5"])], slots: 10, start: [[1, 4, 6]],
    goals: [
      ("Reach 8 by 500 ms.", .by(500)), ("Let 3 out at 900 ms.", .at("3", 900)),
      ("Let 8 out at 1,000 ms.", .at("8", 1000)),
    ]
  ) { _, inputs in
    inputs[0].scan("0") { sum, coin in "\((Int(sum) ?? 0) + (Int(coin) ?? 0))" }
      .eraseToAnyPublisher()
  },
  Diagram(
    page: "remove-duplicates",
    code: "kitchen.merge(with: hall).removeDuplicates()",
    lead: "A value that equals the one before it is dropped. Two rooms tell when a person is in.",
    inputs: [
      .init(name: "kitchen", marbles: ["K", "K"]), .init(name: "hall", marbles: ["H", "H"]),
    ], slots: 8, start: [[0, 1], [3, 6]],
    goals: [
      ("Let all four out.", .out(["K", "H", "K", "H"])),
      ("Let out one of the hall, then one of the kitchen.", .out(["H", "K"])),
    ]
  ) { _, inputs in
    inputs[0].merge(with: inputs[1]).removeDuplicates().eraseToAnyPublisher()
  },
  Diagram(
    page: "zip",
    code: "tables.zip(meals)",
    lead: "The first comes out with the first, the second with the second. What comes early waits.",
    inputs: [
      .init(name: "tables", marbles: ["1", "2", "3"]),
      .init(name: "meals", marbles: ["a", "b", "c"]),
    ], slots: 8, start: [[0, 2, 4], [1, 5, 6]],
    goals: [
      ("Let all three pairs out by 300 ms.", .by(300)),
      ("Make 1 wait for its meal until 600 ms.", .at("1a", 600)),
      ("Let the first pair out at 300 ms.", .at("1a", 300)),
    ]
  ) { _, inputs in inputs[0].zip(inputs[1]) { $0 + $1 }.eraseToAnyPublisher() },
  Diagram(
    page: "combine-latest",
    code: "names.combineLatest(colours)",
    lead: "As soon as both have sent, each value comes out with the latest of the other side.",
    inputs: [
      .init(name: "names", marbles: ["1", "2"]), .init(name: "colours", marbles: ["a", "b"]),
    ], slots: 8, start: [[0, 4], [2, 6]],
    goals: [
      ("Let 1 never come out.", .drops(["1"])),
      ("Let only two pairs out.", .out(["2a", "2b"])),
      ("Combine 1 with both colours, and 2 with b.", .out(["1a", "1b", "2b"])),
    ]
  ) { _, inputs in inputs[0].combineLatest(inputs[1]) { $0 + $1 }.eraseToAnyPublisher() },
  Diagram(
    page: "merge",
    code: "phone.merge(with: watch)",
    lead: "All values of both come out as they come in.",
    inputs: [
      .init(name: "phone", marbles: ["1", "2"]), .init(name: "watch", marbles: ["a", "b"]),
    ], slots: 8, start: [[0, 4], [2, 6]],
    goals: [
      ("Let both values of watch out first.", .out(["a", "b", "1", "2"])),
      ("Put b between 1 and 2, and a first.", .out(["a", "1", "b", "2"])),
      ("Let all four out by 200 ms.", .by(200)),
    ]
  ) { _, inputs in inputs[0].merge(with: inputs[1]).eraseToAnyPublisher() },
  Diagram(
    page: "flat-map",
    code: "users.flatMap { user in posts(of: user) }",
    lead: "Each user has two posts, which come 150 and 350 ms later. All of them come out.",
    inputs: [.init(name: "users", marbles: ["A", "B"])], slots: 10, start: [[0, 5]],
    goals: [
      ("Let the posts of A and B alternate.", .out(["A1", "B1", "A2", "B2"])),
      ("Let all four out by 600 ms.", .by(600)),
    ]
  ) { world, inputs in
    inputs[0].flatMap { posts(of: $0, in: world) }.eraseToAnyPublisher()
  },
  Diagram(
    page: "switch-to-latest",
    code: "users.map { user in posts(of: user) }.switchToLatest()",
    lead: "Each user has two posts, which come 150 and 350 ms later. A new user cancels the rest.",
    inputs: [.init(name: "users", marbles: ["A", "B"])], slots: 10, start: [[0, 5]],
    goals: [
      ("Lose the second post of A.", .out(["A1", "B1", "B2"])),
      ("Lose all posts of A.", .drops(["A"])), ("Let B1 out at 450 ms.", .at("B1", 450)),
    ]
  ) { world, inputs in
    inputs[0].map { posts(of: $0, in: world) }.switchToLatest().eraseToAnyPublisher()
  },
  Diagram(
    page: "prefix",
    code: "ticks.prefix(untilOutputFrom: stop)",
    lead: "The first value of stop finishes the stream.",
    inputs: [
      .init(name: "ticks", marbles: ["1", "2", "3"]), .init(name: "stop", marbles: ["s"]),
    ], slots: 8, start: [[0, 2, 4], [6]],
    goals: [
      ("Let only 1 out.", .out(["1"])), ("Let nothing out.", .out([])),
      ("Let 1 and 2 out.", .out(["1", "2"])),
    ]
  ) { _, inputs in inputs[0].prefix(untilOutputFrom: inputs[1]).eraseToAnyPublisher() },
  Diagram(
    page: "drop",
    code: "ticks.drop(untilOutputFrom: ready)",
    lead: "Values are dropped until the first value of ready.",
    inputs: [
      .init(name: "ticks", marbles: ["1", "2", "3"]), .init(name: "ready", marbles: ["r"]),
    ], slots: 8, start: [[0, 2, 4], [1]],
    goals: [
      ("Let only 3 out.", .out(["3"])), ("Let all three out.", .out(["1", "2", "3"])),
      ("Let nothing out.", .out([])),
    ]
  ) { _, inputs in inputs[0].drop(untilOutputFrom: inputs[1]).eraseToAnyPublisher() },
  Diagram(
    page: "buffer",
    code: """
      photos.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest)
        .flatMap(maxPublishers: .max(1)) { photo in upload(photo) }
      """,
    lead: "An upload takes 250 ms, and there's one at a time. One photo can wait for it.",
    inputs: [.init(name: "photos", marbles: ["1", "2", "3", "4"])], slots: 10,
    start: [[0, 1, 2, 8]],
    goals: [
      ("Upload all four.", .out(["1", "2", "3", "4"])),
      ("Lose 4, and no other.", .out(["1", "2", "3"])),
      ("Let 4 out at 850 ms.", .at("4", 850)),
    ]
  ) { world, inputs in
    // The lane tells which photo an upload is made for.
    inputs[0].buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest).lane("buffer")
      .flatMap(maxPublishers: .max(1)) {
        Just($0).delay(for: .milliseconds(250), scheduler: DispatchQueue.main)
          .setFailureType(to: Diagram.Lost.self).lane("upload of \($0)")
      }
      .eraseToAnyPublisher()
  },
  Diagram(
    page: "catch",
    code: "download.catch { _ in cached }",
    lead: "When the download fails, the two cached values follow, 150 and 350 ms later.",
    inputs: [.init(name: "download", marbles: ["1", "2", "3"], end: .failure)], slots: 10,
    start: [[0, 2, 4, 6]],
    goals: [
      ("Let the output end by 800 ms.", .endsBy(800)),
      ("Let a out at 950 ms.", .at("a", 950)), ("Let 3 out at 1,000 ms.", .at("3", 1000)),
    ]
  ) { world, inputs in
    inputs[0].catch { _ in
      world.clock.cold([
        TimedEvent<String, Diagram.Lost>.value("a", at: .milliseconds(150)),
        .value("b", at: .milliseconds(350)), .finished(at: .milliseconds(350)),
      ])
      .lane("cached")
    }
    .eraseToAnyPublisher()
  },
  Diagram(
    page: "retry",
    code: "download.retry(1)",
    lead: "When the download fails, it begins again, once. Values that have come out stay out.",
    inputs: [.init(name: "download", marbles: ["1", "2"], end: .failure)], slots: 6,
    start: [[0, 2, 4]],
    goals: [
      ("Let the output fail by 600 ms.", .endsBy(600)),
      ("Let 1 out again at 900 ms.", .at("1", 900)), ("Let 2 out at 1,300 ms.", .at("2", 1300)),
    ]
  ) { _, inputs in inputs[0].retry(1).eraseToAnyPublisher() },
]

/// Two values that come some time after the one that they belong to.
private func posts(of user: String, in world: World) -> Diagram.Source {
  let values = [(1, 150), (2, 350)].map { number, time in
    TimedEvent<String, Diagram.Lost>.value("\(user)\(number)", at: .milliseconds(time))
  }
  return world.clock.cold(values + [.finished(at: .milliseconds(350))]).lane("posts of \(user)")
    .eraseToAnyPublisher()
}
