import ExerciseKit

let check = Check(
  learned:
    "`retry` acts on errors from above. A status is an error only below the `tryMap` that says so.",
  setUp: setUp, explain: explain)

/// What a server answers.
private enum Answer {
  case text(String)
  case status(Int)
  case lost

  func response(after milliseconds: Int) -> StubResponse {
    switch self {
    case .text(let text): .text(text, after: .milliseconds(milliseconds))
    case .status(let status): .status(status, after: .milliseconds(milliseconds))
    case .lost: .failure(.networkConnectionLost, after: .milliseconds(milliseconds))
    }
  }

  var shown: String {
    switch self {
    case .text(let text): text
    case .status(let status): "\(status)"
    case .lost: "lost"
    }
  }
}

@Sendable private func setUp(_ attempt: Attempt) {
  var requests = 0
  func expect(_ answers: [(Answer, time: Int)], path: String, name: String) {
    let url = URL(string: "https://example.com/\(path)")!
    var responses: [StubResponse] = []
    var wanted = Script<String>([])
    var time = 0
    for (answer, delay) in answers {
      responses.append(answer.response(after: delay))
      time += delay
      if case .text(let text) = answer {
        wanted = Script([(text, time)], end: time)
        break
      }
      wanted = Script([], end: time, fails: true)
    }
    requests += responses.count
    // A third try gets the last response again.
    attempt.world.network.stub(
      RequestPattern(.get, url), responses: responses.dropLast() + [responses.last!.repeating])
    // The responses are for one subscriber.
    attempt.expect(
      load(attempt.world.session.dataTaskPublisher(for: url)), wanted, name: name, onlyOne: true)
  }
  if attempt.isPage {
    expect([(.status(503), 20), (.text("A"), 20)], path: "once", name: "a 503, then the news")
    expect(
      [(.status(503), 20), (.status(503), 20)], path: "always",
      name: "a 503 each time")
    attempt.note("requests of a server that stays busy") {
      attempt.world.network.events.count {
        if case .started(_, let url) = $0.kind { url.hasSuffix("/always") } else { false }
      }
    }
  } else {
    let answers = (0..<2).map { _ -> (Answer, time: Int) in
      (
        attempt.pick(.lost, or: [.text("A"), .text("B"), .status(503), .status(404), .lost]),
        time: 10 * attempt.pick(1, or: 1...4)
      )
    }
    let shown = answers.map { "\($0.0.shown) after \($0.time) ms" }.joined(separator: ", then ")
    expect(answers, path: "other", name: shown)
  }
  attempt.expectCount(
    attempt.isPage ? "requests to both servers" : "requests", requests
  ) { attempt.requestCount }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let count = outcome.count("requests to both servers")
  if count == 2, outcome.hasFailed(), outcome.stands("retry", above: "tryMap") {
    return
      "Each request was made only once. `retry` stands above `tryMap`, where the 503 is still an "
      + "ordinary response."
  }
  if count == 2, outcome.hasFailed() {
    return "Each request was made only once: nothing tried it again."
  }
  if count == 2, outcome.values(of: "a 503 each time").map(\.text) == [""] {
    return "The 503 went through as if it were a response like any other, with an empty text."
  }
  let busy = outcome.count("requests of a server that stays busy")
  if busy > 2 { return "A server that stays busy got \(busy) requests instead of two." }
  return nil
}
