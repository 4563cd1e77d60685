import ExerciseKit

let check = Check(
  learned: "A connectable publisher waits for `connect()`, so all readers can subscribe first.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let requests: () -> Int
  if attempt.isPage {
    let once = expect(attempt, Script([("h", 0)], end: 0), isAtOnce: true, " of a headline at once")
    let later = expect(
      attempt, Script([("h", 20)], end: 20), isAtOnce: false, " of a headline after 20 ms")
    requests = { once() + later() }
  } else {
    let isAtOnce = attempt.pick(true, or: [true, false])
    let script = attempt.script(
      "h", or: ["h", "i", "j"], count: 0...4, gaps: isAtOnce ? 0...0 : 0...4)
    attempt.show("headline", script)
    requests = expect(attempt, script, isAtOnce: isAtOnce, "")
  }
  attempt.expectCount("requests", attempt.isPage ? 2 : 1, requests)
}

/// Expects that both readers get a headline.
///
/// - Parameter isAtOnce: Whether it comes in the call that subscribes.
/// - Returns: How many subscriptions it gets.
private func expect(
  _ attempt: Attempt, _ script: Script<String>, isAtOnce: Bool, _ name: String
) -> () -> Int {
  let cancels = !attempt.isPage && !isAtOnce && attempt.pick(false, or: [true, false])
  let cancelled = cancels ? attempt.moment(outside: script) : nil
  if let cancelled { attempt.show("cancelled", Script([("x", cancelled)])) }
  let readers = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  let wanted = cancelled.map { script.until($0) } ?? script
  attempt.expect(readers.0, wanted, name: "the first reader\(name)", onlyOne: true)
  attempt.expect(readers.1, wanted, name: "the second reader\(name)", onlyOne: true)
  let source = attempt.hiddenSource(script)
  var requests = 0
  let headline = Deferred { () -> AnyPublisher<String, Never> in
    requests += 1
    guard isAtOnce else { return source.eraseToAnyPublisher() }
    let values = script.values.map(\.value).publisher
    return script.ending == .none
      ? values.append(Empty(completeImmediately: false)).eraseToAnyPublisher()
      : values.eraseToAnyPublisher()
  }
  var subscriptions = deliver(headline, to: readers.0, and: readers.1)
  if !attempt.isPage, !isAtOnce {
    attempt.expectSubscription(to: source, "the headline", of: script, cancelledAt: cancelled)
  }
  if let cancelled { attempt.at(cancelled) { subscriptions = [] } }
  attempt.keep(AnyCancellable { _ = subscriptions })
  return { requests }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let requests = outcome.count("requests")
  let (first, second) = ("the first reader of a headline", "the second reader of a headline")
  if requests == 0 {
    return "No headline was requested. A connectable publisher makes its request when you call "
      + "`connect()`."
  }
  if requests > 2 {
    return "There are two headlines, but \(requests) requests. Both readers should get what one "
      + "subscription delivers."
  }
  if outcome.isRight("\(first) at once"), outcome.values(of: "\(second) at once").isEmpty,
    outcome.end(of: "\(second) at once") == 0
  {
    return "The first reader got the headline that comes at once, and the second one only its end. "
      + "If the request starts before both readers have subscribed, it may be over too soon."
  }
  if outcome.isEmpty("\(first) after 20 ms"), outcome.isEmpty("\(second) after 20 ms") {
    return "A headline that takes 20 ms reaches no reader. If nothing keeps what `connect()` "
      + "returns, the request is cancelled."
  }
  return nil
}
