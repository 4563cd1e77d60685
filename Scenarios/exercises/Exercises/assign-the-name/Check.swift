import ExerciseKit

/// A label of a screen.
final class Label {
  private let show: (String) -> Void
  var text = "" { didSet { show(text) } }

  init(show: @escaping (String) -> Void) { self.show = show }
}

let check = Check(
  learned: "`assign` has no place for an error, so the stream above it must not be able to fail.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  // A label that gets the text that it has shows the same.
  var script = attempt.script(
    "-a--b--#", or: ["a", "b", "c", "Ada"], endings: [.failed, .failed, .finished, .none]
  ).withoutRepeats
  if attempt.input == 4 { script = Script([], end: 20) }
  let code = attempt.pick(URLError.notConnectedToInternet, or: [.timedOut, .cancelled, .badURL])
  let names = attempt.source("names", script, failure: URLError(code))
  var shown = script.withoutEnd
  if script.ending == .failed { shown.values.append(("?", script.end)) }
  // On the page, the subscription is kept until the run is over.
  let cancels = attempt.pick(false, or: [true, false, false])
  let cancelled = cancels ? attempt.moment(outside: script) : nil
  if let cancelled { attempt.show("cancelled", Script([("x", cancelled)])) }

  let label = Label(
    show: attempt.expectCalls(cancelled.map { shown.until($0) } ?? shown))
  var subscription: AnyCancellable? = show(names, in: label)
  if !attempt.isPage {
    attempt.expectSubscription(to: names, "names", of: script, cancelledAt: cancelled)
  }
  if let cancelled { attempt.at(cancelled) { subscription = nil } }
  attempt.keep(AnyCancellable { _ = (subscription, label) })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.values().map(\.text) == ["a", "b"] else { return nil }
  return "After the failure at 70 ms, the label still shows `b`, so the user doesn't learn that "
    + "something went wrong."
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  // A subscription that goes on after the wanted end wasn't cancelled.
  if let cancelled = outcome.wantedEnd(of: "names"), !outcome.isEmpty("names"),
    outcome.end(of: "names") ?? .max > cancelled
  {
    return "What you return was released at \(cancelled) ms, but your subscription went on, so "
      + "something else keeps it."
  }
  guard !outcome.wantedValues().contains(where: { $0.text == "?" }),
    let mark = outcome.values().first(where: { $0.text == "?" })
  else { return nil }
  return "Nothing had failed at \(mark.time) ms, but the label shows a `?` from then on."
}
