import ExerciseKit

/// A search, and three ways in which it's often broken.
private struct Search {
  var waits = true
  var keepsOldRequests = false
  var endsWithAnError = false

  func rows(
    _ keys: some Publisher<String, Never>,
    request: @escaping (String) -> AnyPublisher<String, URLError>
  ) -> AnyPublisher<String, Never> {
    let texts =
      waits
      ? keys.debounce(for: .milliseconds(30), scheduler: DispatchQueue.main).eraseToAnyPublisher()
      : keys.eraseToAnyPublisher()
    let requests = texts.setFailureType(to: URLError.self).map { text in
      endsWithAnError
        ? request(text)
        : request(text).replaceError(with: "?").setFailureType(to: URLError.self)
          .eraseToAnyPublisher()
    }
    let rows =
      keepsOldRequests
      ? requests.flatMap { $0 }.eraseToAnyPublisher()
      : requests.switchToLatest().eraseToAnyPublisher()
    return rows.replaceError(with: "?").eraseToAnyPublisher()
  }
}

private let broken = [
  ("doesn't wait for a pause", Search(waits: false)),
  ("shows the response of an older request", Search(keepsOldRequests: true)),
  ("ends after the first failed request", Search(endsWithAnError: true)),
]

let check = Check(
  learned: "A good test has an input for each way in which the code can go wrong.",
  // The learner gives the input.
  otherInputs: 0, setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let test = SearchTest()
  let shown: Script<String> = attempt.script(test.shown)
  let keys: ColdPublisher<String, Never> = attempt.source("typed", attempt.script(test.typed))
  let request = { (text: String) -> AnyPublisher<String, URLError> in
    let response =
      text == "x" ? Script([], end: 60, fails: true) : Script([(text.uppercased(), 60)], end: 60)
    return attempt.hiddenSource(response, failure: URLError(.timedOut)).eraseToAnyPublisher()
  }
  attempt.expect(
    Search().rows(keys, request: request), shown, name: "the right search", onlyOne: true)
  for (name, search) in broken {
    let result = attempt.marbles(of: search.rows(keys, request: request))
    attempt.expectCount("caught: a search that \(name)", 1) {
      result() == attempt.marbles(test.shown) ? 0 : 1
    }
  }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.isRight("the right search") else { return nil }
  let missed = broken.map(\.0).filter { outcome.count("caught: a search that \($0)") == 0 }
  if missed.isEmpty { return nil }
  return "Your test passes the right search, and also one that "
    + "\(missed.joined(separator: ", and one that ")). What could a user type to see the difference?"
}
