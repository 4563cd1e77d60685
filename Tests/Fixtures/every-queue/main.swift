// A scenario that sends work to every kind of queue, at once and later.

import ScenarioKit

let scenario = Scenario(
  "every-queue", "Send work to every kind of queue, at once and later.", showsThreads: true)

func operationQueue() -> OperationQueue {
  let queue = OperationQueue()
  queue.name = "operations"
  return queue
}

scenario.part("At once") { world in
  let numbers = PassthroughSubject<Int, Never>()
  func print<S: Scheduler>(on scheduler: S) {
    numbers.receive(on: scheduler).sink { ScenarioKit.print($0) }.store(in: &world.cancellables)
  }
  print(on: DispatchQueue.global())
  print(on: RunLoop.main)
  print(on: DispatchQueue(label: "own"))
  print(on: OperationQueue.main)
  print(on: operationQueue())
  print(on: DispatchQueue.main)
  print(on: OperationQueue())
  for number in 1...2 { numbers.send(number) }
  ScenarioKit.print("sent")
}

scenario.part("Later") { world in
  func print<S: Scheduler>(on scheduler: S) {
    let start = scheduler.now
    Just(1).delay(for: .milliseconds(250), scheduler: scheduler)
      .sink { _ in ScenarioKit.print(start.distance(to: scheduler.now)) }
      .store(in: &world.cancellables)
  }
  print(on: DispatchQueue(label: "own"))
  print(on: OperationQueue.main)
  print(on: RunLoop.main)
  print(on: operationQueue())
  print(on: DispatchQueue.main)
}

scenario.part("Again and again") { world in
  func print<S: Scheduler>(on scheduler: S, every interval: S.SchedulerTimeType.Stride) {
    scheduler.schedule(after: scheduler.now, interval: interval) {
      ScenarioKit.print("every \(interval)")
    }
    .store(in: &world.cancellables)
  }
  print(on: DispatchQueue.main, every: .milliseconds(100))
  print(on: RunLoop.main, every: .milliseconds(150))
  print(on: OperationQueue.main, every: .milliseconds(200))
  DispatchQueue.main.schedule(after: DispatchQueue.main.now.advanced(by: .milliseconds(300))) {
    ScenarioKit.print("enough")
    world.cancellables = []
  }
}

scenario.part("A timer's dates") { world in
  let timer = Timer.publish(every: 0.25, on: .main, in: .common).autoconnect()
  let start = RunLoop.main.now.date
  print("since the reference date: \(start.timeIntervalSinceReferenceDate)")
  let first = timer.sink { print("after \($0.timeIntervalSince(start)) s") }
  world.at(.milliseconds(400)) {
    timer.map { "also after \($0.timeIntervalSince(start)) s" }.sink { print($0) }
      .store(in: &world.cancellables)
  }
  world.at(.milliseconds(600)) { first.cancel() }
  // Releasing the last subscription stops the timer, and so the world ends.
  world.at(.milliseconds(900)) { world.cancellables = [] }
}

scenario.part("A timer with an explicit connection") { world in
  let timer = Timer.publish(every: 0.25, on: .main, in: .default)
  timer.sink { print("\($0.timeIntervalSinceReferenceDate)") }.store(in: &world.cancellables)
  world.at(.milliseconds(100)) {
    let connection = timer.connect()
    // Due at the same time as a date of the timer, but earlier on the main thread, so that date isn't
    // delivered.
    DispatchQueue.main.schedule(after: DispatchQueue.main.now.advanced(by: .milliseconds(500))) {
      print("enough")
      connection.cancel()
    }
  }
}

scenario.part("A timer without a subscriber") { _ in
  // There is no subscriber to deliver a date to, and the connection isn't kept.
  _ = Timer.publish(every: 1, on: .main, in: .common).connect()
  print("connected")
}

scenario.part("Silence") { world in
  func watch<S: Scheduler>(_ name: String, on scheduler: S) {
    let typed = PassthroughSubject<String, Never>()
    typed.debounce(for: .milliseconds(150), scheduler: scheduler)
      .sink { print("\(name): \($0)") }
      .store(in: &world.cancellables)
    typed.timeout(.milliseconds(250), scheduler: scheduler)
      .sink(receiveCompletion: { _ in print("\(name): silence") }, receiveValue: { _ in })
      .store(in: &world.cancellables)
    for (time, text) in [(0, "S"), (100, "Sw"), (200, "Swift")] {
      world.at(.milliseconds(time)) { typed.send(text) }
    }
  }
  watch("main queue", on: DispatchQueue.main)
  watch("own queue", on: DispatchQueue(label: "own"))
  watch("run loop", on: RunLoop.main)
  watch("operations", on: operationQueue())
  watch("clock", on: world.clock)
}

scenario.part("Between the main thread and other queues") { world in
  func hop(_ count: Int, on queues: [DispatchQueue]) {
    let isMain = Thread.isMainThread
    if count == 0 { return print("on the main thread? \(isMain)") }
    queues[count % queues.count].schedule { hop(count - 1, on: queues) }
  }
  hop(9, on: [.main, DispatchQueue(label: "own"), .global()])
  // These hops bypass our schedulers, and record nothing in between.
  func asyncHop(_ count: Int) {
    if count == 0 { return print("after hops that bypass the schedulers") }
    DispatchQueue.main.async { asyncHop(count - 1) }
  }
  asyncHop(9)
  for _ in 0..<9 { OperationQueue.main.addOperation {} }
  OperationQueue.main.addOperation { print("after other operations") }
  world.at(.milliseconds(1)) { print("a millisecond later") }
}

scenario.part("In a group") { world in
  let group = DispatchGroup()
  DispatchQueue(label: "own").schedule(options: .init(qos: .utility, flags: .barrier, group: group))
  {
    print("in the group")
  }
  group.notify(queue: .main) { print("after the group") }
}

scenario.run()
