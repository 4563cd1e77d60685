import ExerciseKit

let check = Check(
  learned: "`catch` sees the error before it decides, so it can try again or give up.",
  setUp: setUp, explain: explain)

/// What one request gets.
private enum Answer: String {
  case page = "the page"
  case busy = "a 503"
  case missing = "a 404"
}

@Sendable private func setUp(_ attempt: Attempt) {
  func expect(_ answers: [(Answer, time: Int)], name: String) -> () -> Int {
    var requests = 0
    let request = Deferred {
      let (answer, time) = answers[min(requests, answers.count - 1)]
      requests += 1
      return attempt.hiddenSource(
        answer == .page ? Script([("A", time)], end: time) : Script([], end: time, fails: true),
        failure: answer == .missing ? Status.notFound : .busy)
    }
    let wanted = outcome(of: answers)
    // The answers are for one subscriber.
    attempt.expect(
      page(request), wanted.script, name: name, failure: wanted.failure, onlyOne: true)
    return { requests }
  }
  if attempt.isPage {
    _ = expect([(.busy, 20), (.page, 20)], name: "a 503, then the page")
    let missing = expect([(.missing, 20)], name: "a 404")
    let always = expect([(.busy, 20)], name: "a 503 each time")
    attempt.expectCount("requests for a 404", 1, missing)
    attempt.expectCount("requests if each is a 503", 2, always)
    return
  }
  let answers = (0..<3).map { _ -> (Answer, time: Int) in
    (
      attempt.pick(.busy, or: [.busy, .busy, .page, .missing]),
      time: 10 * attempt.pick(1, or: 0...4)
    )
  }
  let shown = answers.map { "\($0.0.rawValue) after \($0.time) ms" }
  let requests = expect(answers, name: shown.joined(separator: ", then "))
  attempt.expectCount("requests", outcome(of: answers).requests, requests)
}

private func outcome(
  of answers: [(Answer, time: Int)]
) -> (script: Script<String>, failure: String?, requests: Int) {
  var time = 0
  for number in 1...2 {
    let (answer, delay) = answers[min(number, answers.count) - 1]
    time += delay
    switch answer {
    case .page: return (Script([("A", time)], end: time), nil, number)
    case .missing: return (Script([], end: time, fails: true), "Status.notFound", number)
    case .busy: continue
    }
  }
  return (Script([], end: time, fails: true), "Status.busy", 2)
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let missing = outcome.count("requests for a 404")
  if missing > 1 {
    return "The page that doesn't exist was requested \(missing) times, and a busy server "
      + "\(outcome.count("requests if each is a 503")). Which of the two errors is worth another try?"
  }
  if outcome.end(of: "a 404") != nil, !outcome.hasFailed("a 404") {
    return "The 404 ended without an error, so no one learns that the page doesn't exist."
  }
  let always = outcome.count("requests if each is a 503")
  if always > 2 { return "A server that stays busy got \(always) requests instead of two." }
  return nil
}
