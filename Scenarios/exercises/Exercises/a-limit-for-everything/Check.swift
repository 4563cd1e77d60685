import ExerciseKit

let check = Check(
  learned:
    "An operator limits what's above it: below `retry`, a timeout is for all tries together.",
  setUp: setUp, explain: explain)

struct Lost: Error {}

/// What a try gets, and when.
private enum Answer {
  case lost(after: Int)
  case text(after: Int)
  case nothing
}

@Sendable private func setUp(_ attempt: Attempt) {
  func expect(_ answers: [Answer], name: String) -> () -> Int {
    var tries = 0
    let request = Deferred { () -> AnyPublisher<String, any Error> in
      let answer = answers[min(tries, answers.count - 1)]
      tries += 1
      return attempt.hiddenSource(script(of: answer, from: 0), failure: Lost() as any Error)
        .eraseToAnyPublisher()
    }
    let wanted = outcome(of: answers)
    // The answers are for one subscriber.
    attempt.expect(
      response(request), wanted.script, name: name, failure: wanted.failure, onlyOne: true)
    return { tries }
  }
  if attempt.isPage {
    _ = expect([.lost(after: 60)], name: "each try is lost after 60 ms")
    let silent = expect([.nothing], name: "no answer at all")
    _ = expect([.text(after: 40)], name: "an answer after 40 ms")
    let lost = expect([.lost(after: 20)], name: "each try is lost after 20 ms")
    attempt.expectCount("tries of the last one", 3, lost)
    attempt.note("tries without an answer", silent)
    return
  }
  let answers = (0..<4).map { _ -> Answer in
    // Never at 100 ms, where the limit is.
    let time = attempt.pick(20, or: [10, 20, 30, 60, 70, 90].filter { $0 != 0 })
    return attempt.pick(.nothing, or: [.lost(after: time), .lost(after: time), .text(after: time)])
  }
  guard !isTie(answers) else { return }
  let tries = expect(answers, name: answers.prefix(3).map(shown).joined(separator: ", then "))
  attempt.expectCount("tries", outcome(of: answers).tries, tries)
}

private func script(of answer: Answer, from start: Int) -> Script<String> {
  switch answer {
  case .lost(let time): Script([], end: start + time, fails: true)
  case .text(let time): Script([("A", start + time)], end: start + time)
  case .nothing: Script([])
  }
}

private func shown(_ answer: Answer) -> String {
  switch answer {
  case .lost(let time): "lost after \(time) ms"
  case .text(let time): "an answer after \(time) ms"
  case .nothing: "no answer"
  }
}

/// Whether something comes at the moment of the limit.
private func isTie(_ answers: [Answer]) -> Bool {
  var time = 0
  return answers.prefix(3).contains { answer in
    if case .lost(let delay) = answer { time += delay }
    if case .text(let delay) = answer { time += delay }
    return time == 100
  }
}

private func outcome(
  of answers: [Answer]
) -> (script: Script<String>, failure: String?, tries: Int) {
  var time = 0
  for number in 1...3 {
    let answer = answers[min(number, answers.count) - 1]
    let script = script(of: answer, from: time)
    guard script.ending != .none, script.end < 100 else {
      return (Script([], end: 100, fails: true), "TooSlow", number)
    }
    if script.ending == .finished { return (script, nil, number) }
    time = script.end
  }
  return (Script([], end: time, fails: true), "Lost", 3)
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let end = outcome.end(of: "no answer at all") ?? 0
  let tries = outcome.count("tries without an answer")
  if end > 100, tries > 1, outcome.stands("timeout", above: "retry"),
    !outcome.stands("retry", above: "timeout")
  {
    return
      "Without an answer, the user waits until \(end) ms: `timeout` stands above `retry`, so each of "
      + "the \(tries) tries has \(end / tries) ms of its own."
  }
  if end > 100 { return "Without an answer, the user waits until \(end) ms instead of 100 ms." }
  let answer = "an answer after 40 ms"
  if outcome.values(of: answer).isEmpty, outcome.hasFailed(answer) {
    return "An answer after 40 ms is in time, but your stream doesn't wait for it."
  }
  if outcome.count("tries of the last one") != 3 {
    return "A request that's lost after 20 ms may be tried three times. You tried it "
      + "\(outcome.count("tries of the last one")) times."
  }
  return nil
}
