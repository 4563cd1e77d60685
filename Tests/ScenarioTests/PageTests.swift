import Foundation
import TestSupport
import Testing

/// The page that `--player` writes for each scenario, with a table of runs.
@Suite struct PageTests {
  /// The table, as far as these tests read it.
  private struct Table: Decodable {
    struct Program: Decodable {
      let parts: [String]
    }

    struct Event: Decodable {
      let skipped: Int?
      let joins: Bool?
      let lane: String
      let cause: Int?
      let file: Int?
      let line: Int?
    }

    struct File: Decodable { let name: String }

    struct Variant: Decodable {
      let part: Int
      let flags: [String]
      let groups: [Group]
      let singles: [Single]
    }

    struct Group: Decodable {
      let addresses: [String]
      let times: [[Int64?]]
      let shapes: [Int]
      let columns: [String: [Column]]
    }

    struct Single: Decodable {
      let moves: [String]
      let fault: String?
      let schedule: String?
      let shape: Int
      let times: [Int64]
    }

    /// A time that's the same in all arrangements, at a distance from a thing, or listed.
    struct Column: Decodable {
      var constant: Int64?
      var moved: (thing: Int, by: Int64)?
      var listed: [Int64]?

      init(from decoder: any Decoder) throws {
        if let constant = try? decoder.singleValueContainer().decode(Int64.self) {
          self.constant = constant
        } else if let lists = try? decoder.singleValueContainer().decode([[Int64]].self) {
          listed = lists[0]
        } else {
          let pair = try decoder.singleValueContainer().decode([Int64].self)
          moved = (Int(pair[0]), pair[1])
        }
      }
    }

    let program: Program
    let part: Int
    let flags: [String]
    let files: [File]
    let events: [Event]
    let instants: [[Int]]
    let shapes: [[[Int]]]
    let variants: [Variant]

    /// The events of a shape, with the run's times, or without.
    func lines(ofShape shape: Int, times: [Int64]) -> [String] {
      // The first time is that of the end.
      var rest = times.dropFirst()
      var (number, now) = (0, Int64(0))
      return shapes[shape][0].flatMap { instants[$0] }.map { events[$0] }.map { event in
        number += 1 + (event.skipped ?? 0)
        // A work's time or a request's belongs to the usual run only, whose times aren't read.
        if event.joins != true { now = rest.popFirst() ?? 0 }
        return "\(now) \(number) \(event.lane) \(event.cause.map { number - $0 } ?? 0)"
      }
    }

    /// The events of an arrangement of a group.
    func lines(of group: Group, cell: Int) -> [String] {
      let shape = group.shapes[cell]
      let before = group.shapes[..<cell].count { $0 == shape }
      let moved = self.times(of: group, cell: cell)
      let times = (group.columns["\(shape)"] ?? []).map { column in
        column.constant ?? column.listed?[before]
          ?? column.moved.map { (moved[$0.thing] ?? 0) + $0.by } ?? 0
      }
      return lines(ofShape: shape, times: times)
    }

    /// The times of a group's things in an arrangement. The last thing's change first.
    func times(of group: Group, cell: Int) -> [Int64?] {
      var rest = cell
      return group.times.reversed().map { times in
        defer { rest /= times.count }
        return times[rest % times.count]
      }.reversed()
    }
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

  private func table(_ page: String) throws -> Table {
    let start = try #require(page.firstRange(of: #"id="runs">"#)).upperBound
    let end = try #require(page[start...].firstRange(of: "</script>")).lowerBound
    return try JSONDecoder().decode(Table.self, from: Data(page[start..<end].utf8))
  }

  /// One line for each event of a part, as `--trace` has it.
  private func trace(
    _ scenario: String, part: Int, _ arguments: [String], hasTimes: Bool = true
  ) async throws -> [String] {
    struct Line: Decodable {
      let number: Int?
      let nanoseconds: Int64?
      let lane: String?
      let cause: Int?
    }
    let trace = try await runExecutable(
      scenario, arguments: ["--trace", "--part", "\(part)"] + arguments
    ).stdout
    return try trace.split(separator: "\n").filter { !$0.hasPrefix("{\"wait\"") }
      .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      .filter { $0.number != nil }
      .map {
        "\(hasTimes ? $0.nanoseconds ?? 0 : 0) \($0.number ?? 0) \($0.lane ?? "") \($0.cause ?? 0)"
      }
  }

  /// It also shows a line of code for each of them. A page takes long, because it has hundreds of
  /// runs, so these stand for all. The tests in a browser open the pages of all scenarios.
  @Test(arguments: ["first-stream", "decode-user", "keep-it-alive", "search-as-you-type"])
  func aPageHasTheEventsOfTheTrace(scenario: String) async throws {
    let page = try await page(scenario)
    let table = try table(page)
    let flags = Catalogue.flags[scenario].map { [[], [$0.replacing("--", with: "")]] } ?? [[]]
    let parts = table.program.parts.indices.map { $0 + 1 }
    #expect(table.variants.map(\.part) == flags.flatMap { _ in parts })
    #expect(table.variants.map(\.flags) == flags.flatMap { flags in parts.map { _ in flags } })
    for variant in table.variants {
      let usual = try #require(variant.singles.first)
      let trace = try await trace(
        scenario, part: variant.part, variant.flags.map { "--\($0)" }, hasTimes: false)
      #expect(table.lines(ofShape: usual.shape, times: []) == trace)
    }
    #expect(table.files.first?.name == "main.swift")
    #expect(table.events.filter { $0.file == nil || $0.line == nil }.map(\.lane) == [])
    if scenario == "decode-user" { #expect(try await self.page(scenario) == page) }
  }

  /// An arrangement of the table has the events and the times of a run with these moves, and so has
  /// what leads to another ending.
  @Test func anArrangementIsARunWithItsMoves() async throws {
    let (scenario, flag) = ("search-as-you-type", "--without-switch")
    let table = try table(
      await page(scenario, [flag, "--part", "1", "--only", "responses", "--step", "300ms"]))
    let variant = try #require(table.variants.first)
    let group = try #require(variant.groups.first)
    #expect(Set(group.addresses) == ["GET /search?q=sw", "GET /search?q=swift"])
    for cell in stride(from: 0, to: group.shapes.count, by: 7) {
      let moves = zip(group.addresses, table.times(of: group, cell: cell)).flatMap {
        ["--move", "\($0) to \($1.map { "\($0)ns" } ?? "never")"]
      }
      #expect(
        try await table.lines(of: group, cell: cell)
          == trace(scenario, part: 1, [flag] + moves), "\(moves)")
    }
    for single in variant.singles.dropFirst() where single.schedule == nil {
      let arguments =
        single.moves.flatMap { ["--move", $0] } + (single.fault.map { ["--fault", $0] } ?? [])
      #expect(
        try await table.lines(ofShape: single.shape, times: single.times)
          == trace(scenario, part: 1, [flag] + arguments), "\(arguments)")
    }
  }

  @Test func aPageOpensOnTheUsersOwnFlagAndPart() async throws {
    let own = try await table(
      page("search-as-you-type", ["--without-switch", "--part", "2"]))
    #expect((own.part, own.flags) == (2, ["without-switch"]))
    #expect(own.variants.map(\.flags) == [["without-switch"], []])
    #expect(own.variants.map(\.part) == [2, 2])
    // The first part only subscribes, so there's nothing to see.
    let first = try await table(page("first-stream"))
    #expect((first.part, first.flags) == (2, []))
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
