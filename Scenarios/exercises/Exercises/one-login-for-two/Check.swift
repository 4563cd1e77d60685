import ExerciseKit

let check = Check(
  learned: "Share the work while it runs, and forget it when it's done.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let login = attempt.hiddenSource("---(t|)")
  let tokens = Tokens(login: login.eraseToAnyPublisher())
  attempt.expect(tokens.token(), "---(t|)", name: "a request at 0 ms")
  for (start, marbles) in [(10, "---(t|)"), (60, "---------(t|)")] {
    let later = PassthroughSubject<String, Never>()
    attempt.expect(later, marbles, name: "a request at \(start) ms")
    attempt.at(start) { attempt.keep(tokens.token().subscribe(later)) }
  }
  attempt.expectCount("logins", 2) { login.subscriptions.count }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("logins") > 2 {
    return
      "\(outcome.count("logins")) logins were made: the requests of 0 and 10 ms didn't share one."
  }
  if outcome.count("logins") == 1, !outcome.values(of: "a request at 60 ms").isEmpty {
    return "The request at 60 ms got the token of the first login, which has expired by then."
  }
  if outcome.count("logins") == 1 {
    return "The request at 60 ms got no token: it subscribed to a shared login that was over at "
      + "30 ms."
  }
  return nil
}
