import Foundation

/// The events of one part of a scenario, read from its trace, without times.
struct RunHistory {
  /// A request, and how it ended.
  struct Request: Hashable {
    /// The method, the path and the query, without the host.
    var start = ""
    var end = ""
  }

  private struct Line: Decodable {
    let part: String?
    let lane: String?
    let event: String?
    let text: String?
    let method: String?
    let url: String?
  }

  let title: String
  private(set) var lines: [String] = []
  private var requestsByLane: [String: Request] = [:]

  /// The requests, each with its end. If requests race, their numbers are a matter of luck, so
  /// they're sorted by their text.
  var requests: [String] { requestsByLane.values.map { "\($0.start): \($0.end)" }.sorted() }

  /// Each request that was sent: the method, the path and the query.
  var sent: [String] { Set(requestsByLane.values.map(\.start)).sorted() }

  /// Returns the printed lines in groups: one per set of beginnings, and a last one for the rest.
  ///
  /// A line belongs to the first set that has a beginning of it.
  func printed(groupedBy sets: [Set<String>]) -> [[String]] {
    var printed = Array(repeating: [String](), count: sets.count + 1)
    for line in lines {
      let set = sets.firstIndex { $0.contains { line.hasPrefix($0) } }
      printed[set ?? sets.count].append(line)
    }
    return printed
  }

  /// Reads a trace.
  static func parts(of trace: String) throws -> [RunHistory] {
    var parts: [RunHistory] = []
    for text in trace.split(separator: "\n") {
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      if let title = line.part {
        parts.append(RunHistory(title: title))
      } else if !parts.isEmpty {
        parts[parts.count - 1].add(line)
      }
    }
    return parts
  }

  private init(title: String) { self.title = title }

  private mutating func add(_ line: Line) {
    switch (line.event, line.lane) {
    case ("printed", _): add(printed: line.text ?? "")
    case ("request-started", let lane?):
      let url = URLComponents(string: line.url ?? "")
      let path = (url?.path ?? "") + (url?.query.map { "?\($0)" } ?? "")
      // The server chooses the IDs of todos.
      requestsByLane[lane, default: Request()].start =
        "\(line.method ?? "") \(path.replacing(/\/todos\/\d+/) { _ in "/todos/N" })"
    case ("response", _), ("chunk", _), (nil, _), (_, nil): break
    case (let event?, let lane?):
      guard requestsByLane[lane] != nil else { break }
      requestsByLane[lane]?.end = event + (line.text.map { " \($0)" } ?? "")
    }
  }

  /// Adds a line. Of several progress lines in a row, keeps the last, because the network decides
  /// how many there are.
  private mutating func add(printed text: String) {
    let isProgress = { (line: String) in
      line.hasPrefix("progress: ") || line.hasPrefix("chunk of ")
    }
    if isProgress(text), let last = lines.last, isProgress(last) { lines.removeLast() }
    lines.append(text.hasPrefix("chunk of ") ? "chunk of some bytes" : text)
  }
}
