import ExerciseKit

let check = Check(
  learned: "`receive(on:)` decides where everything below it runs, up to the next `receive(on:)`.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let queue = DispatchQueue(label: "work")
  let key = DispatchSpecificKey<String>()
  queue.setSpecific(key: key, value: "work")
  DispatchQueue.main.setSpecific(key: key, value: "main")
  let script = attempt.script("-a--b|", or: ["a", "b", "c"], gaps: 1...4)
  attempt.show("responses", script)
  let responses = PassthroughSubject<String, Never>()
  var places = (decoded: [String](), shown: [String]())
  // A response is passed on in a call of its source, so decoding in that call makes the source
  // wait. The main queue has to be free meanwhile, too.
  var isDelivering = false
  var waits = (source: 0, main: 0)
  let here = { DispatchQueue.getSpecific(key: key) ?? "elsewhere" }
  let answer = decoded(responses.eraseToAnyPublisher(), on: queue) { text in
    places.decoded.append(here())
    waits.source += isDelivering ? 1 : 0
    if here() == "work", !isMainQueueFree() { waits.main += 1 }
    return text.uppercased()
  }
  // The source is for one subscriber.
  attempt.expect(
    answer.handleEvents(receiveOutput: { _ in places.shown.append(here()) }),
    script.map { $0.uppercased() }, onlyOne: true)
  for (text, time) in script.values {
    attempt.at(time) {
      isDelivering = true
      responses.send(text)
      isDelivering = false
    }
  }
  if script.ending == .finished {
    attempt.at(script.end) { responses.send(completion: .finished) }
  }
  let count = script.values.count
  attempt.expectCount("decoded on work", count) { places.decoded.count { $0 == "work" } }
  attempt.expectCount("decoded on main", 0) { places.decoded.count { $0 == "main" } }
  attempt.expectCount("shown on main", count) { places.shown.count { $0 == "main" } }
  attempt.expectCount("times that a thread had to wait", 0) { waits.source + waits.main }
  attempt.note("times that the source had to wait") { waits.source }
  attempt.note("shown on work") { places.shown.count { $0 == "work" } }
}

/// Whether the main queue does what it gets, and doesn't wait for the caller.
private func isMainQueueFree() -> Bool {
  let isDone = DispatchSemaphore(value: 0)
  DispatchQueue.main.async(execute: DispatchWorkItem { isDone.signal() })
  return isDone.wait(timeout: .now() + .seconds(2)) == .success
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("decoded on work") == 0 {
    if outcome.count("decoded on main") == 2 {
      return
        "Your stream moved to the main queue before it decoded, so the main queue decoded both "
        + "responses."
    }
    guard outcome.count("times that the source had to wait") == 2 else { return nil }
    return outcome.has("subscribeOn")
      ? "Both responses were decoded where they arrive. `subscribe(on:)` moves the subscribing, and "
        + "not the values that come later."
      : "Nothing moved the responses to `work`, so they were decoded where they arrive."
  }
  if outcome.count("times that the source had to wait") > 0 {
    return
      "The queue `work` decodes, but the thread that delivers a response waits for it meanwhile. So "
      + "nothing is won: if that's the main thread, the screen stands still."
  }
  if outcome.count("times that a thread had to wait") > 0 {
    return
      "The queue `work` decodes, but the main queue waits for it meanwhile, so the screen stands "
      + "still."
  }
  if outcome.count("shown on work") == 2 {
    return
      "Decoding is on `work` now, but the results stayed there too. Nothing brought them to the "
      + "main queue."
  }
  return nil
}
