import Foundation
import TestSupport
import Testing

/// The page that `--player` writes for each scenario.
@Suite struct PlayerTests {
  /// The parts of the page's data that these tests read.
  private struct Data: Decodable {
    struct Run: Decodable {
      let flags: String?
      let parts: [Part]
    }

    struct Part: Decodable {
      let title: String
      let events: [Event]
    }

    struct Event: Decodable {
      let number: Int
      let lane: String
      let cause: Int?
      let file: Int?
      let line: Int?
    }

    let runs: [Run]
    let files: [File]

    struct File: Decodable { let name: String }
  }

  /// Runs a scenario with `--player`, and returns the page.
  private func page(_ scenario: String, _ arguments: [String] = []) async throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("run.html")
    expectSameResult(
      try await runExecutable(scenario, arguments: ["--player", file.path] + arguments),
      as: ExecutableResult(
        status: 0,
        stdout: "Wrote \(file.path). Open it in a browser: \(file.absoluteString)\n", stderr: ""))
    let files = folder.files
    #expect(files.count == 1)
    return try #require(files["run.html"])
  }

  private func data(_ page: String) throws -> Data {
    let start = try #require(page.firstRange(of: #"id="run">"#)).upperBound
    let end = try #require(page[start...].firstRange(of: "</script>")).lowerBound
    return try JSONDecoder().decode(Data.self, from: Foundation.Data(page[start..<end].utf8))
  }

  /// One line for each part and each event, from `--trace` or from a page.
  private func trace(_ scenario: String, _ arguments: [String]) async throws -> [String] {
    struct Line: Decodable {
      let part: String?
      let number: Int?
      let lane: String?
      let cause: Int?
    }
    let trace = try await Runs.result(of: scenario, arguments + ["--trace"]).stdout
    // A page has the waits in its picture only.
    return try trace.split(separator: "\n").filter { !$0.hasPrefix("{\"wait\"") }.map { text in
      let line = try JSONDecoder().decode(Line.self, from: Foundation.Data(text.utf8))
      return line.part ?? "\(line.number ?? 0) \(line.lane ?? "") \(line.cause ?? 0)"
    }
  }

  private func lines(_ run: Data.Run) -> [String] {
    run.parts.flatMap { part in
      [part.title] + part.events.map { "\($0.number) \($0.lane) \($0.cause ?? 0)" }
    }
  }

  /// Those whose pages take the most runs. They are built twice.
  private static let heavy: Set = ["search-as-you-type", "todo-client"]

  /// It also shows a line of code for each of them. A page takes long, so each is built once.
  @Test(arguments: try Catalogue.tested())
  func aPageHasTheEventsOfTheTrace(scenario: String) async throws {
    let page = try await page(scenario)
    let data = try data(page)
    let flags = Catalogue.flags[scenario].map { [$0] } ?? []
    #expect(data.runs.map(\.flags) == [nil] + flags)
    for run in data.runs {
      #expect(try await lines(run) == trace(scenario, run.flags.map { [$0] } ?? []))
    }
    #expect(data.files.first?.name == "main.swift")
    let events = data.runs.flatMap(\.parts).flatMap(\.events)
    let withoutCode = events.filter { $0.file == nil || $0.line == nil }
    #expect(withoutCode.map { "\($0.number) \($0.lane)" } == [])
    if Self.heavy.contains(scenario) { #expect(try await self.page(scenario) == page) }
  }

  @Test func theUsersOwnFlagComesFirst() async throws {
    let data = try await data(page("search-as-you-type", ["--without-switch"]))
    #expect(data.runs.map(\.flags) == ["--without-switch", nil])
  }

  @Test func aPageOfARunInRealTimeIsTheSame() async throws {
    #expect(try await page("decode-user", ["--real-time"]) == page("decode-user"))
  }

  @Test func reportsThatItCannotWriteThePage() async throws {
    expectSameResult(
      try await runExecutable("decode-user", arguments: ["--player", "/missing/run.html"]),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "decode-user: can't write /missing/run.html: No such file or directory\n"))
  }
}
