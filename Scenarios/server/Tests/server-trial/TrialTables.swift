import ServerTestSupport

/// The tables of a trial, for a page.
///
/// They depend only on the outcomes, and not on their order or on peaks of memory.
struct TrialTables {
  /// The part of an outcome that a reader sees, apart from the server and the scenario.
  struct Row: Hashable {
    var requestEnds: String
    var line: String
    var status: String
  }

  let outcomes: [Outcome]
  var servers = badServers
  var traps = documentedTraps
  /// All scenarios, in the order of the manifest.
  let scenarios: [String]

  /// The lines for the page.
  var lines: [String] {
    let start = PageTable(
      [.left("The server"), .left("The line"), .left("Status")],
      rows: servers.flatMap { rows(for: $0, .fromTheStart) })
    let later = PageTable(
      [
        .left("The server"), .left("Scenarios"), .left("Requests end with"), .left("The line"),
        .left("Status"),
      ],
      rows: servers.flatMap { rows(for: $0, .afterTheCheck) })
    return ["**Bad from its first response on.** The check at the start fails.", ""]
      + start.lines
      + [
        "",
        "**Bad after the check.** `GET /` gets the right response, and all other requests the bad "
          + "one.",
        "",
      ] + later.lines + [""] + trapLines
  }

  /// The lines about the documented traps.
  var trapLines: [String] {
    let table = PageTable(
      [.left("The server"), .left("Bad"), .left("Because")],
      rows: traps.map { [$0.server, $0.group.rawValue, $0.reason] })
    return [
      "**Traps inside Foundation.** A scenario can't prevent them, and ends with status 1.", "",
    ] + table.lines
  }

  /// The text of a server's first cell. Only the first table has the sentences of its servers.
  static func cell(_ server: BadServer, _ group: BadServer.Group) -> String {
    let isExplained = group == .afterTheCheck && server.groups.contains(.fromTheStart)
    return "**\(server.name)**" + (isExplained ? "" : ": \(server.sentence)")
  }

  private func rows(for server: BadServer, _ group: BadServer.Group) -> [[String]] {
    let outcomes = outcomes.filter {
      $0.server == server.name && $0.group == group && !$0.refusesServers
    }
    let order = { (name: String) in scenarios.firstIndex(of: name) ?? scenarios.count }
    let scenariosByRow = Dictionary(grouping: outcomes, by: Row.init)
      .mapValues { Set($0.map(\.scenario)).sorted { order($0) < order($1) } }
    // The row of most scenarios comes last, so that it can say "all others".
    let rows = scenariosByRow.sorted {
      ($0.value.count, order($0.value[0])) < ($1.value.count, order($1.value[0]))
    }
    return rows.enumerated().map { index, element in
      let (row, names) = element
      let title = index == 0 ? Self.cell(server, group) : ""
      if group == .fromTheStart { return [title, row.line, row.status] }
      let isLast = index == rows.count - 1
      let scenarios =
        !isLast ? names.joined(separator: ", ") : rows.count == 1 ? "all" : "all others"
      return [title, scenarios, row.requestEnds, row.line, row.status]
    }
  }
}

extension TrialTables.Row {
  init(_ outcome: Outcome) {
    let ends = outcome.requestEnds.map { Int($0) == nil ? "`\($0)`" : $0 }
    requestEnds = ends.isEmpty ? "nothing" : ends.joined(separator: ", ")
    let errors = outcome.errors.map { "`\($0)`" }
    line = errors.isEmpty ? "none" : errors.joined(separator: ", ")
    status =
      outcome.status < 0 ? Self.name(ofSignal: -outcome.status) : "\(outcome.status)"
  }

  private static func name(ofSignal number: Int32) -> String {
    let names: [Int32: String] = [4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 11: "SIGSEGV"]
    return names[number] ?? "signal \(number)"
  }
}
