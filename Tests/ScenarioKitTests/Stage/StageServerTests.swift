import Foundation
import TestSupport
import Testing

/// A program that answers requests for runs, as `make play` keeps one.
struct StageServerTests {
  /// What a test reads of an answer.
  private struct Answer: Decodable {
    struct Run: Decodable {
      let outcome: [String]
      let problems: [String]
      let things: [Thing]
    }

    struct Thing: Decodable {
      let address: String
      let deed: String?
      let usual: Int
      let time: Int?
    }

    struct Ending: Decodable, Equatable {
      let title: String
      let outcome: [String]
      let moves: [String]
      let fault: String?
      let schedule: String?
    }

    /// What a search tries next.
    struct Trial: Decodable, Equatable {
      let moves: [String]
      let fault: String?
    }

    let id: Int
    var tries: Trial?
    var run: Run?
    var endings: [Ending]?
    var picture: String?
    var error: String?
  }

  /// The answers to some requests.
  private func answers(_ requests: [String]) async throws -> [Answer] {
    let answers = try await lines(requests).filter { $0.tries == nil }
    // A test goes on to read each of them.
    try #require(answers.count == requests.count)
    return answers
  }

  /// What a program says if it gets some requests, without its greeting.
  private func lines(_ requests: [String]) async throws -> [Answer] {
    let result = try await runExecutable(
      "search-as-you-type", arguments: ["--stage"],
      input: requests.joined(separator: "\n") + "\n")
    #expect(result.status == 0, "\(result.stderr)")
    let lines = result.stdout.split(separator: "\n")
    #expect(lines.first?.contains(#""scenario":"search-as-you-type""#) ?? false)
    return try lines.dropFirst().map {
      try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
    }
  }

  private func screen(_ answer: Answer) -> [String] {
    (answer.run?.outcome ?? []).filter { $0.hasPrefix("on screen") }
  }

  @Test func eachRequestGetsItsRun() async throws {
    let all = try await answers([
      #"{"id":1,"part":1,"flags":["without-switch"]}"#,
      #"{"id":2,"part":1,"flags":["without-switch"],"moves":["GET /search?q=sw to 999ms"]}"#,
      #"{"id":3,"part":1}"#,
      #"{"id":4,"part":1,"fault":"from request 1 on, each request is refused"}"#,
    ])
    let (old, new) = (
      #"on screen: ["sway", "swing", "swift"]"#, #"on screen: ["swift", "swiftly"]"#
    )
    #expect(all.map(\.id) == [1, 2, 3, 4])
    #expect(all.map(screen) == [[new, old], [old, new], [new], ["on screen: []"]])
    #expect(
      all[1].run?.things.filter { $0.usual != $0.time }.map(\.address) == ["GET /search?q=sw"])
    #expect(all[0].run?.things.first?.deed == "typed s")
  }

  @Test func whatCannotBeRunIsSaidInOneLine() async throws {
    let all = try await answers([
      "what?", #"{"id":2,"part":7}"#, #"{"id":3,"part":1,"moves":["sw later"]}"#,
      #"{"id":4,"part":1,"fault":"it rains"}"#, #"{"id":5,"part":1,"schedule":"soon"}"#,
      #"{"id":6,"part":2}"#,
    ])
    #expect(all.map { $0.error == nil } == [false, false, false, false, false, true])
    #expect(all[0].error == "this isn't a request: what?")
    #expect(all[1].error == "there's no part 7")
    #expect(all.compactMap(\.error).allSatisfy { !$0.contains("\n") })
    #expect(all[5].run?.outcome.contains("search for swift") ?? false)
  }

  @Test func otherEndingsComeWithWhatLeadsToThem() async throws {
    let all = try await answers([
      #"{"id":1,"part":2,"flags":["without-switch"],"wants":"endings"}"#,
      #"{"id":2,"part":2,"wants":"picture"}"#,
    ])
    let endings = try #require(all[0].endings)
    #expect(endings.contains { $0.moves.first?.hasPrefix("GET /search?q=") ?? false })
    #expect(endings.contains { $0.title.hasPrefix("GET /search?q=swift never comes") })
    #expect(Set(endings.map(\.title)).count == endings.count)
    #expect(all[1].picture?.hasPrefix("<svg ") ?? false)
  }

  @Test func aSearchSaysWhatItTries() async throws {
    let lines = try await lines([#"{"id":1,"part":2,"wants":"endings"}"#])
    let trials = lines.compactMap(\.tries)
    #expect(lines.dropLast().count == trials.count)
    #expect(trials.first == .init(moves: [], fault: nil))
    #expect(trials.contains { $0.moves == ["GET /search?q=swift to never"] })
    #expect(trials.contains { $0.fault == "request 1 is refused" })
  }

  @Test func aRunThatHasCrashedIsAnEndingAndIsNotMadeAgain() async throws {
    let trial = #"{"moves":["GET /search?q=swift to never"]}"#
    let crash = #"{"trial":\#(trial),"outcome":"the program crashes: oops"}"#
    let lines = try await lines([
      #"{"id":1,"part":2,"wants":"endings","crashes":[\#(crash)]}"#,
      #"{"id":2,"part":2,"wants":"endings","crashes":[\#(crash)],"isLast":true}"#,
    ])
    let tries = { id in lines.filter { $0.id == id }.compactMap(\.tries) }
    #expect(lines.allSatisfy { $0.tries?.moves != ["GET /search?q=swift to never"] })
    #expect(tries(1).contains { $0.fault != nil })
    // The last search stops right after the crash, and goes on to nothing else.
    #expect(tries(2).allSatisfy { $0.fault == nil } && tries(2).count < tries(1).count)
    for answer in lines where answer.tries == nil {
      let ending = answer.endings?.first { $0.outcome == ["the program crashes: oops"] }
      #expect(ending?.moves == ["GET /search?q=swift to never"])
    }
  }
}
