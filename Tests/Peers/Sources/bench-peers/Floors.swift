/// The least that each row has to be ahead of OpenCombine, measured in turns in one run.
///
/// CI fails if a row falls below its floor. The goal is ten times on most rows, five where a
/// lock or a gate is most of the work, and two and a half where a chain is set up. A floor is
/// the goal, or less where some processor doesn't reach that: then it's about 75 % of what was
/// measured there. Processors on which atomic operations cost little help OpenCombine's locks
/// more than our gates. A queue costs what it costs, so `receive(on:)` only mustn't fall
/// behind.
enum Floors {
  static let all: [(name: String, floor: Double)] = [
    ("map, filter, map", 10),
    ("map, filter, map; literal closures", 10),
    ("map, filter, map; on the sequence itself", 8),
    ("5 maps, erased to AnyPublisher", 5),
    ("scan", 10),
    ("removeDuplicates", 10),
    ("compactMap", 10),
    ("prefix(while:)", 10),
    ("prefix", 10),
    ("drop(while:)", 10),
    ("dropFirst", 10),
    ("prepend", 10),
    ("append", 10),
    ("replaceEmpty", 10),
    ("replaceError", 10),
    ("retry", 10),
    ("catch", 10),
    ("handleEvents", 10),
    ("receive(on: immediate)", 5.5),
    ("buffer, by request", 5),
    ("buffer, kept full", 5),
    ("flatMap { Just }", 6),
    ("flatMap(maxPublishers: 1) { Just }", 6),
    ("reduce", 10),
    ("max(by:)", 10),
    ("contains(where:)", 10),
    ("allSatisfy", 10),
    ("collect", 10),
    ("collect(10)", 10),
    ("subject, map, filter; subscribers: 1", 5),
    ("subject, map, filter; subscribers: 10", 5),
    ("subject, map, filter; subscribers: 100", 5),
    ("current value, map", 4),
    ("subject, share; subscribers: 8", 7),
    ("two subjects, zip", 4),
    ("subject, switchToLatest", 2.5),
    ("receive(on: serial queue)", 1),
    ("Just, map, sink", 2),
    ("subject, map, sink", 2),
    ("subject, map, filter, scan, sink", 1.4),
  ]

  /// What's wrong with a row; `nil` if it's above its floor.
  static func problem(of name: String, lead: Double) -> String? {
    guard let floor = all.first(where: { $0.name == name })?.floor else {
      return "\(name): has no floor. Add one to Floors.swift"
    }
    guard lead < floor else { return nil }
    return "\(name): \(lead.times) times as fast as OpenCombine, expected at least \(floor.times)"
  }
}
