import ExerciseKit

let check = Check(
  learned: "Share the work while it runs, and forget it when it's done.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  // How long a login takes, in milliseconds.
  let duration = 10 * attempt.pick(3, or: 1...6)
  // On other inputs, each login has a token of its own.
  var logins = 0
  let login = Deferred {
    logins += 1
    let token = attempt.isPage ? "t" : "\(logins)"
    return attempt.hiddenSource(Script([(token, duration)], end: duration))
  }
  let tokens = Tokens(login: login.eraseToAnyPublisher())
  // None at the moment at which a login ends.
  let starts =
    attempt.isPage
    ? [0, 10, 60]
    : attempt.script("", or: ["request"], count: 1...6, gaps: 0...6)
      .values.reduce(into: [Int]()) { starts, request in
        var time = max(request.time, starts.last ?? 0)
        while tokenTimes(of: starts, duration).contains(time) { time += 10 }
        starts.append(time)
      }
  let ends = tokenTimes(of: starts, duration)
  // One of two that wait for the same login may lose interest.
  let leaves = attempt.input % 3 == 1 && ends.dropFirst().first == ends.first
  for (index, (start, end)) in zip(starts, ends).enumerated() {
    let token = attempt.isPage ? "t" : "\(Set(ends[...index]).count)"
    let request = PassthroughSubject<String, Never>()
    let isLeft = leaves && index == 0
    attempt.expect(
      request, isLeft ? Script([]) : Script([(token, end)], end: end),
      name: "\(isLeft ? "a request that's given up" : "a request") at \(start) ms", onlyOne: true)
    let subscribe = {
      let subscription = tokens.token().subscribe(request)
      attempt.keep(subscription)
      if isLeft { attempt.at(starts[1] + 5) { subscription.cancel() } }
    }
    if start == 0, attempt.isPage { subscribe() } else { attempt.at(start, subscribe) }
  }
  attempt.expectCount("logins", Set(ends).count) { logins }
  var early = 0
  attempt.at(20) { early = logins }
  attempt.note("logins until 20 ms") { early }
}

/// When the requests get their token, if they begin at these moments.
private func tokenTimes(of starts: [Int], _ duration: Int) -> [Int] {
  starts.reduce(into: []) { ends, start in
    let running = ends.last.flatMap { $0 > start ? $0 : nil }
    ends.append(running ?? start + duration)
  }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("logins until 20 ms") > 1 {
    return
      "\(outcome.count("logins until 20 ms")) logins were made until 20 ms, so the requests of 0 and "
      + "10 ms didn't share one."
  }
  if outcome.count("logins") == 1, !outcome.values(of: "a request at 60 ms").isEmpty {
    return "The request at 60 ms got the token of the first login, which has expired by then."
  }
  if outcome.count("logins") == 1 {
    return
      "The request at 60 ms got no token, and made no login. The first login was over at 30 ms."
  }
  return nil
}
