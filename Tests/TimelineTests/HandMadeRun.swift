import Timeline

/// A run that's written down event by event, each with its cause.
struct HandMadeRun {
  private(set) var events: [Timeline.Event]
  private(set) var waits: [Timeline.Wait] = []

  init(events: [Timeline.Event] = []) { self.events = events }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - time: The time in milliseconds.
  ///   - lane: The lane.
  ///   - kind: The kind of event.
  ///   - cause: The number of the event that led to it.
  ///   - from: The numbers of the values that it's made of.
  ///   - life: The subscription's number.
  ///   - line: The line of code.
  ///   - thread: The queue.
  /// - Returns: The event's number.
  @discardableResult
  mutating func add(
    _ time: Int, _ lane: Timeline.Lane, _ kind: Timeline.Event.Kind, cause: Int? = nil,
    from: [Int] = [], life: Int? = nil, line: Int? = nil, thread: String? = nil
  ) -> Int {
    let place = events.count { $0.time == .milliseconds(time) } + 1
    events.append(
      Timeline.Event(
        number: events.count + 1, time: .milliseconds(time), place: place, lane: lane, kind: kind,
        thread: thread, cause: cause, from: from, subscription: life,
        line: line.map { Timeline.SourceLine(fileID: "app/main.swift", line: $0) }))
    return events.count
  }

  /// Adds a wait, which is over or stopped at its end.
  mutating func wait(
    _ start: Int, _ end: Int, _ lane: Timeline.Lane, _ ending: Timeline.Wait.Ending = .over,
    cause: Int? = nil, life: Int? = nil
  ) {
    waits.append(
      Timeline.Wait(
        lane: lane, subscription: life, start: .milliseconds(start), end: .milliseconds(end),
        ending: ending, cause: cause))
  }

  /// Adds the subscriptions of a chain of lanes, then the demand that goes back up.
  ///
  /// - Returns: The number of the last request, at the top of the chain.
  @discardableResult
  mutating func subscribe(
    _ time: Int, _ lanes: [Timeline.Lane], cause: Int? = nil, life: Int = 1
  ) -> Int {
    var last = cause
    for lane in lanes { last = add(time, lane, .subscription, cause: last, life: life) }
    for lane in lanes.reversed() {
      last = add(time, lane, .request(.unlimited), cause: last, life: life)
    }
    return last ?? 0
  }

  /// Adds an event that goes down a chain of lanes.
  ///
  /// - Returns: The number of the last event.
  @discardableResult
  mutating func pass(
    _ time: Int, _ kind: Timeline.Event.Kind, down lanes: [Timeline.Lane], cause: Int?,
    life: Int = 1
  ) -> Int {
    var last = cause
    for lane in lanes { last = add(time, lane, kind, cause: last, life: life) }
    return last ?? 0
  }

  /// The events as a part.
  func part(_ title: String? = nil) -> Timeline.Recording.Part {
    Timeline.Recording.Part(title: title, events: events, waits: waits)
  }

  /// The events as a recording.
  func recording(_ title: String? = nil) -> Timeline.Recording {
    Timeline.Recording(parts: [part(title)])
  }
}

/// A request that fails twice, and then another one that succeeds.
let fallbackRun: Timeline.Recording = {
  var run = HandMadeRun()
  let requests = (1...3).map { Timeline.Lane.request("request \($0)") }
  let url = "https://api.example.com/quote"
  let made = Timeline.Event.Kind.network(.started(method: "GET", url: url))
  let lost = "networkConnectionLost"
  let demand = run.subscribe(0, ["data task", "retry", "catch"])
  var request = run.add(0, requests[0], made, cause: demand)
  var failure = run.add(60, requests[0], .network(.failed(lost)), cause: request)
  failure = run.pass(60, .failure(lost), down: ["data task"], cause: failure)
  let again = run.subscribe(60, ["data task"], cause: failure, life: 2)
  request = run.add(60, requests[1], made, cause: again)
  failure = run.add(120, requests[1], .network(.failed(lost)), cause: request)
  failure = run.pass(120, .failure(lost), down: ["data task"], cause: failure, life: 2)
  failure = run.pass(120, .failure(lost), down: ["retry"], cause: failure)
  let fallback = run.subscribe(120, ["fallback"], cause: failure)
  request = run.add(120, requests[2], made, cause: fallback)
  let response = run.add(220, requests[2], .network(.response(status: 200)), cause: request)
  let chunk = run.add(220, requests[2], .network(.chunk(bytes: 23)), cause: response)
  let end = run.add(220, requests[2], .network(.finished), cause: chunk)
  let value = run.pass(220, .value("23 bytes"), down: ["fallback", "catch"], cause: end)
  run.add(220, .console, .printed("quote: Begin at the beginning."), cause: value)
  let finish = run.pass(220, .finished, down: ["fallback", "catch"], cause: end)
  run.add(220, .console, .printed("completion: finished"), cause: finish)
  return run.recording("The fallback succeeds")
}()

/// A search that the next one cancels.
let searchRun: Timeline.Recording = {
  var run = HandMadeRun()
  let made = Timeline.Event.Kind.network(.started(method: "GET", url: "https://a.example/?q=x"))
  run.subscribe(0, ["typed", "debounce", "latest"])
  run.add(0, .console, .printed("typed s"))
  run.add(0, "typed", .value("s"), life: 1)
  let typed = run.add(100, "typed", .value("sw"), life: 1)
  var value = run.pass(400, .value("sw"), down: ["debounce"], cause: typed)
  var demand = run.subscribe(400, ["results"], cause: value)
  run.add(400, .request("request 1"), made, cause: demand)
  let newer = run.add(700, "typed", .value("swift"), life: 1)
  value = run.pass(1000, .value("swift"), down: ["debounce"], cause: newer)
  let cancel = run.add(1000, "results", .cancelled, cause: value, life: 1)
  run.add(1000, .request("request 1"), .network(.cancelled(bytes: 0)), cause: cancel)
  demand = run.subscribe(1000, ["results"], cause: value, life: 2)
  let request = run.add(1000, .request("request 2"), made, cause: demand)
  let response = run.add(
    1200, .request("request 2"), .network(.response(status: 200)), cause: request)
  let end = run.add(1200, .request("request 2"), .network(.finished), cause: response)
  let found = run.add(1200, "results", .value("[\"swift\", \"swiftly\"]"), cause: end, life: 2)
  run.pass(1200, .value("[\"swift\", \"swiftly\"]"), down: ["latest"], cause: found)
  run.add(1200, "results", .finished, cause: end, life: 2)
  run.add(9000, "debounce", .request(.max(1)), life: 1)
  return run.recording("A slow response to an old query")
}()

/// A load with two subscribers, which has two lives at the same time.
let loadTwiceRun: Timeline.Recording = {
  var run = HandMadeRun()
  let made = Timeline.Event.Kind.network(.started(method: "GET", url: "https://a.example/ada"))
  let names = ["user", "status"]
  let requests = names.indices.map { index in
    let load = run.add(0, "load", .subscription, life: index + 1)
    let name = run.add(0, .operator(names[index]), .subscription, cause: load, life: 1)
    let demand = run.add(0, "load", .request(.unlimited), cause: name, life: index + 1)
    return run.add(0, .request("request \(index + 1)"), made, cause: demand)
  }
  for (index, name) in names.enumerated() {
    let lane = Timeline.Lane.request("request \(index + 1)")
    let response = run.add(
      120, lane, .network(.response(status: 200)), cause: requests[index], thread: "loader")
    let end = run.add(120, lane, .network(.finished), cause: response, thread: "loader")
    let value = run.add(
      120, "load", .value("41 bytes"), cause: end, life: index + 1, thread: "loader")
    run.add(120, .operator(name), .value("ada"), cause: value, life: 1, thread: "main")
    run.add(120, "load", .finished, cause: end, life: index + 1, thread: "loader")
  }
  return run.recording("Without share()")
}()
