import Foundation

/// A page with the tables of a trial, between two comments.
struct TrialPage {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let start = "<!-- trial -->\n"
  private static let end = "\n<!-- /trial -->"

  private var before: Substring
  private var after: Substring
  var tables: String

  /// Reads a page.
  init(_ text: String) throws {
    guard let start = text.range(of: Self.start),
      let end = text.range(of: Self.end, range: start.upperBound..<text.endIndex)
    else { throw Failure(description: "the page has no <!-- trial --> … <!-- /trial -->") }
    before = text[..<start.upperBound]
    after = text[end.lowerBound...]
    tables = String(text[start.upperBound..<end.lowerBound])
  }

  /// The whole page.
  var text: String { before + tables + after }

  /// Compares outcomes with the tables.
  ///
  /// - Parameters:
  ///   - outcomes: The outcomes of some scenarios with all servers.
  ///   - servers: All servers.
  ///   - traps: All documented traps.
  /// - Returns: One line for each difference.
  func differences(
    from outcomes: [Outcome], servers: [BadServer] = badServers,
    traps: [DocumentedTrap] = documentedTraps
  ) -> [String] {
    var problems: [String] = []
    if !tables.hasSuffix(TrialTables(outcomes: [], traps: traps, scenarios: []).trapTable) {
      problems.append("the page doesn't end with the table of documented traps")
    }
    for group in BadServer.Group.allCases {
      let sections = sections(of: group)
      let titles = servers.filter { $0.groups.contains(group) }.map(TrialTables.cell)
      if sections.map(\.title) != titles {
        problems.append("the page doesn't name the servers that are bad \(group.rawValue)")
        continue
      }
      for outcome in outcomes where outcome.group == group && !outcome.refusesServers {
        let section = sections.first { $0.title.hasPrefix("**\(outcome.server)**") }
        let row = TrialTables.Row(outcome)
        let expected = section?.row(of: outcome.scenario)
        if expected != row {
          problems.append(
            "\(outcome.title): the page says \(expected?.words ?? "nothing"), but now it's "
              + row.words)
        }
      }
    }
    return problems
  }

  /// The rows of one server.
  private struct Section {
    let title: String
    var rows: [(scenarios: String, row: TrialTables.Row)] = []

    func row(of scenario: String) -> TrialTables.Row? {
      let named = rows.first { $0.scenarios.components(separatedBy: ", ").contains(scenario) }
      return (named ?? rows.first { $0.scenarios.hasPrefix("all") })?.row
    }
  }

  private func sections(of group: BadServer.Group) -> [Section] {
    var sections: [Section] = []
    for line in tables.split(separator: "\n") where line.hasPrefix("| ") && line.hasSuffix(" |") {
      var cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      guard cells.count == (group == .fromTheStart ? 3 : 5), cells[0] != "The server",
        cells[0] != "---"
      else { continue }
      if group == .fromTheStart { cells.insert(contentsOf: ["all", "nothing"], at: 1) }
      if !cells[0].isEmpty { sections.append(Section(title: cells[0])) }
      let row = TrialTables.Row(requestEnds: cells[2], line: cells[3], status: cells[4])
      if !sections.isEmpty { sections[sections.count - 1].rows.append((cells[1], row)) }
    }
    return sections
  }
}

extension TrialTables.Row {
  var words: String { "\(line), status \(status), and requests end with \(requestEnds)" }
}
