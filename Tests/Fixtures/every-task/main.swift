// A scenario with tasks of every kind: on the main actor and off it, in actors and groups, asleep,
// cancelled, and waiting for responses and streams.

import ScenarioKit

let scenario = Scenario("every-task", "Start tasks of every kind.", showsThreads: true)
let url = URL(absolute: "https://example.com/user")

actor Counter {
  private var count = 0

  func add() { count += 1 }

  /// Reads, waits, and writes, so two callers can lose a step.
  func addLate() async {
    let old = count
    await Task.yield()
    count = old + 1
  }

  var total: Int { count }
}

scenario.part("Where they run") { _ in
  Task { print("a task, on the main thread? \(Thread.isMainThread)") }
  Task { @MainActor in print("the main actor, on the main thread? \(Thread.isMainThread)") }
  Task.detached { print("a detached task") }
  print("started")
}

scenario.part("An actor and a group") { _ in
  let counter = Counter()
  Task {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { await counter.add() } }
    }
    async let total = counter.total
    print("counted to \(await total)")
  }
}

scenario.part("Sleeps") { world in
  let clock = world.swiftClock
  for length in [300, 100, 200] {
    Task { @MainActor in
      try await clock.sleep(for: .milliseconds(length))
      print("slept \(length) ms")
    }
  }
  Task {
    try await Task.sleep(for: .seconds(1))
    print("slept a second, without a clock")
  }
}

scenario.part("A response and a stream") { world in
  world.network.stub(
    .get, "https://example.com/user", responses: .text("Ada", after: .milliseconds(120)))
  let session = world.session
  Task {
    let (data, _) = try await session.data(from: url)
    print("received \(data.count) bytes")
  }
  let numbers = PassthroughSubject<Int, Never>()
  Task {
    for await number in numbers.values { print("number \(number)") }
    print("no more numbers")
  }
  for number in 1...2 { world.at(.milliseconds(50 * number)) { numbers.send(number) } }
  world.at(.milliseconds(150)) { numbers.send(completion: .finished) }
}

scenario.part("Cancelled") { world in
  let clock = world.swiftClock
  let task = Task {
    do { try await clock.sleep(for: .seconds(5)) } catch {
      print("woken: \(error is CancellationError)")
    }
  }
  world.at(.milliseconds(10)) { task.cancel() }
}

scenario.part("Between queues") { world in
  let sent = PassthroughSubject<Int, Never>()
  sent.receive(on: DispatchQueue.main).sink { print("received \($0)") }
    .store(in: &world.cancellables)
  Task { @MainActor in
    sent.send(1)
    print("sent 1")
    await Task.yield()
    print("went on")
  }
}

scenario.part("In the order in which they came") { world in
  let sent = PassthroughSubject<Int, Never>()
  sent.receive(on: DispatchQueue.main).sink { print("received \($0)") }
    .store(in: &world.cancellables)
  Task { print("a task") }
  sent.send(1)
  Task { @MainActor in print("the main actor") }
  sent.send(2)
}

scenario.part("From a block of the main queue") { _ in
  DispatchQueue.main.async {
    for number in 1...3 { Task { @MainActor in print("task \(number)") } }
  }
}

scenario.part("After two values") { world in
  let numbers = PassthroughSubject<Int, Never>()
  numbers.lane("numbers")
    .sink { number in Task { print("task of number \(number)") } }
    .store(in: &world.cancellables)
  for number in 1...2 { numbers.send(number) }
}

scenario.part("Two callers of an actor") { _ in
  let counter = Counter()
  Task {
    async let first: Void = counter.addLate()
    async let second: Void = counter.addLate()
    _ = await (first, second)
    print("counted to \(await counter.total)")
  }
}

scenario.run()
