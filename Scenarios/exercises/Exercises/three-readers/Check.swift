import ExerciseKit

let check = Check(
  learned:
    "`share()` makes one subscription for all subscribers of one object, so keep that object.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  let duration = 10 * attempt.pick(2, or: 1...6)
  // A request delivers one value, and ends at the same moment.
  let script = Script([(attempt.pick("h", or: ["q", "k"]), duration)], end: duration)
  let request = attempt.source("request", script)
  let news = News(request: request.eraseToAnyPublisher())
  // The news stay in memory for good, as they may in an app.
  _ = Unmanaged.passRetained(news)

  // All readers come before the headline does. The first one is there from the start.
  let arrivals = [0, attempt.pick(0, or: 0...duration - 1), attempt.pick(0, or: 0...duration - 1)]
    .map { $0 / 10 * 10 }
  let leaver = attempt.pick(-1, or: [-1, 0, 1, 2])
  let leaving = arrivals.max()! + 10
  if leaver >= 0, leaving < duration { attempt.show("one leaves", Script([("x", leaving)])) }
  for (index, name) in ["the title", "the widget", "the badge"].enumerated() {
    let leaves = index == leaver && leaving < duration
    let times = [
      arrivals[index] > 0 ? "comes at \(arrivals[index]) ms" : nil,
      leaves ? "leaves at \(leaving) ms" : nil,
    ].compactMap { $0 }.joined(separator: " and ")
    // The type of the stream itself says what it's made of.
    if attempt.isPage {
      attempt.expect(news.headline, script, name: name, onlyOne: true)
      continue
    }
    let screen = PassthroughSubject<String, Never>()
    attempt.expect(
      screen, leaves ? script.until(leaving) : script,
      name: times.isEmpty ? name : "\(name), which \(times)", onlyOne: true)
    var subscription: AnyCancellable?
    let subscribe = { subscription = news.headline.subscribe(screen) }
    if arrivals[index] == 0 { subscribe() } else { attempt.at(arrivals[index], subscribe) }
    if leaves { attempt.at(leaving) { subscription = nil } }
    attempt.keep(AnyCancellable { _ = subscription })
  }
  attempt.expectCount("requests", 1) { request.subscriptions.count }

  if attempt.isPage { return }
  let otherRequest = attempt.hiddenSource(Script([("o", 10)], end: 10))
  let otherNews = News(request: otherRequest.eraseToAnyPublisher())
  _ = Unmanaged.passRetained(otherNews)
  attempt.expect(
    otherNews.headline, Script([("o", 10)], end: 10), name: "a reader of other news", onlyOne: true)
  attempt.expectCount("requests of other news", 1) { otherRequest.subscriptions.count }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.count("requests") > 1 else { return nil }
  let fact = "\(outcome.count("requests")) requests were made for the three readers."
  return outcome.count("requests") == 3
    && ["Share", "Multicast", "Autoconnect"].contains { outcome.has($0) }
    ? "\(fact) `share()` shares one among the subscribers of one object. Does each reader get the same "
      + "object when it reads `headline`?"
    : "\(fact) Each subscriber of a stream causes a request of its own, unless something shares one."
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  if outcome.count("requests") == 0 {
    return
      "There are several `News` objects now, and one of them made no request. Does each one have "
      + "a stream of its own?"
  }
  return outcome.count("requests of other news") == 0
    ? "There's a second `News` object now, which has one reader, and it made no request." : nil
}
