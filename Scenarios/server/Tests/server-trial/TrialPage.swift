import Foundation
import ServerTestSupport

/// The tables of a trial on a page, for a comparison.
struct TrialPage {
  /// The part of the page that the trial writes.
  static let block = PageBlock("server-trial")

  private let lines: [String]

  /// - Parameter text: The whole page.
  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    self.lines = lines.drop { $0 != "<!-- \(Self.block.name) -->" }
      .prefix { $0 != "<!-- /\(Self.block.name) -->" }.dropLast()
  }

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
    let trapLines = TrialTables(outcomes: [], traps: traps, scenarios: []).trapLines
    if !lines.suffix(trapLines.count).elementsEqual(trapLines) {
      problems.append("the page doesn't end with the table of documented traps")
    }
    for group in BadServer.Group.allCases {
      let sections = sections(of: group)
      let titles = servers.filter { $0.groups.contains(group) }
        .map { TrialTables.cell($0, group) }
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
    var isInTable = false
    for line in lines where line.hasPrefix("| ") && line.hasSuffix(" |") {
      var cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        .map { $0.replacing("\\|", with: "|") }
      if cells[0] == "The server", cells.count > 1 {
        isInTable = cells[1] == (group == .fromTheStart ? "The line" : "Scenarios")
      }
      guard isInTable, cells[0] != "The server", cells[0] != "---" else { continue }
      if group == .fromTheStart { cells.insert(contentsOf: ["all", "nothing"], at: 1) }
      guard cells.count == 5 else { continue }
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
