import Foundation

/// What happened in one part of a scenario, read from its trace, without the times.
struct RunHistory {
  /// What became of a request.
  struct Request: Hashable {
    /// The method, the path and the query, without the server.
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

  /// What became of each request. Which of several has which number is luck where they race, and so
  /// their order is that of their names.
  var requests: [String] { requestsByLane.values.map { "\($0.start): \($0.end)" }.sorted() }

  /// What was printed: for each of these sets of beginnings what begins so, then the rest.
  func printed(inTurns sets: [Set<String>]) -> [[String]] {
    var printed = Array(repeating: [String](), count: sets.count + 1)
    for line in lines {
      let beginning = String(line.prefix { $0 != ":" })
      printed[sets.firstIndex { $0.contains(beginning) } ?? sets.count].append(line)
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
      // The server gives numbers as it likes.
      requestsByLane[lane, default: Request()].start =
        "\(line.method ?? "") \(path.replacing(/\/todos\/\d+/) { _ in "/todos/N" })"
    case ("response", _), ("chunk", _), (nil, _), (_, nil): break
    case (let event?, let lane?):
      guard requestsByLane[lane] != nil else { break }
      requestsByLane[lane]?.end = event + (line.text.map { " \($0)" } ?? "")
    }
  }

  /// Of lines that say how much there is so far, only the last says what came: how many there are
  /// is the network's affair.
  private mutating func add(printed text: String) {
    let isProgress = { (line: String) in
      line.hasPrefix("progress: ") || line.hasPrefix("chunk of ")
    }
    if isProgress(text), let last = lines.last, isProgress(last) { lines.removeLast() }
    lines.append(text.hasPrefix("chunk of ") ? "chunk of some bytes" : text)
  }
}
