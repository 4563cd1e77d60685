import Foundation
import OpenCombineWorkloads
import OurWorkloads
import PeerSupport

/// The program: its arguments, and what it does with them.
struct BenchPeers {
  private var page: URL?
  private var checksFloors = false
  private var filters: [String] = []

  init(arguments: [String]) throws {
    if arguments.first == "--footprint" {
      try FootprintProcess.report(arguments.dropFirst())
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--page":
        guard let path = rest.popFirst() else {
          throw UsageError("--page needs the path of a page")
        }
        page = URL(filePath: path)
      case "--floors": checksFloors = true
      case _ where argument.hasPrefix("-"):
        throw UsageError(
          "unknown flag '\(argument)'. Expected --floors, --page PATH, or a name's part")
      default: filters.append(argument)
      }
    }
    if page != nil, !filters.isEmpty {
      throw UsageError("the page shows all workloads, so --page can't be combined with a name")
    }
  }

  func run() throws {
    let pairs = zip(OurWorkloads.workloads, OpenCombineWorkloads.workloads).filter {
      isWanted($0.0.name)
    }
    if checksFloors { return try checkFloors(of: pairs) }
    let footprints = OurWorkloads.footprints.map(\.name).filter(isWanted)
    guard !pairs.isEmpty || !footprints.isEmpty else {
      throw UsageError("no workload has '\(filters.joined(separator: "' and '"))' in its name")
    }
    // The page is read first, so a mistake costs no time.
    let block = try page.map { try PageBlock(page: $0) }
    let times = pairs.map { pair in
      let row = Comparison(pair.0, pair.1)
      print(row.line)
      return row
    }
    let memory = try footprints.map { name in
      let row = try MemoryComparison(name)
      print(row.line)
      return row
    }
    try block?.write(Report(times: times, memory: memory).lines)
  }

  /// Measures each row, and fails if one is below its floor. Such a row is measured up to twice
  /// more, because another program can disturb one measurement, but hardly three.
  private func checkFloors(of pairs: [(Workload, Workload)]) throws {
    guard !pairs.isEmpty else {
      throw UsageError("no workload has '\(filters.joined(separator: "' and '"))' in its name")
    }
    var problems: [String] = []
    for (ours, openCombine) in pairs {
      var problem: String?
      for _ in 0..<3 {
        let row = Comparison(ours, openCombine)
        print(row.line)
        problem = Floors.problem(of: row.name, lead: row.lead)
        if problem == nil { break }
      }
      if let problem { problems.append(problem) }
    }
    for problem in problems { print("floors: \(problem)") }
    print("floors: \(pairs.count - problems.count) passed, \(problems.count) failed")
    if !problems.isEmpty { throw BelowFloor() }
  }

  private func isWanted(_ name: String) -> Bool { filters.allSatisfy { name.contains($0) } }
}

/// Some rows are below their floors. They have been printed.
struct BelowFloor: Error, CustomStringConvertible {
  let description = "some rows are below their floors"
}

/// A mistake in the arguments.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
