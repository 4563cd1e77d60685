import Foundation
import ServerTestSupport

/// The results of a whole load test, as they stand in the page.
struct LoadReport {
  struct Row {
    let endpoint: Endpoint
    let connections: Int
    let flood: Flood.Kind
    let pair: Pair
  }

  /// The machine and the build.
  struct Machine {
    var cores: Int
    var architecture: String
    var build: String
    var date: String
  }

  var machine: Machine
  var rows: [Row]
  /// The most memory that the server had, in kilobytes.
  var peakKilobytes: Int

  /// The lines of the block: a sentence, the table, and the memory.
  var lines: [String] {
    let sentence =
      "`make server-load` measured this on \(machine.date), with a \(machine.build) build, on "
      + "\(machine.cores) \(machine.architecture) cores that the clients use too. "
      + "The flood of logins is \(Flood.clients * Flood.connectionsPerClient) connections from "
      + "\(Flood.clients) addresses, all with wrong passwords. The flood of changes is "
      + "\(Flood.clients) connections that post todos while another program holds the database."
    return Self.wrapped(sentence) + [""] + table.lines + ["", memory]
  }

  /// The lines of a paragraph, as long as those of other pages.
  private static func wrapped(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  var table: PageTable {
    PageTable(
      [
        .left("Request"), .right("Connections"), .left("Flood"), .right("Successes per second"),
        .right("p50"), .right("p99"), .left("Refused"),
      ],
      rows: rows.flatMap { row in
        [(row.pair.quiet, "none"), (row.pair.flooded, row.flood.rawValue)].map { sample, flood in
          [
            "`\(row.endpoint.rawValue)`", "\(row.connections)", flood,
            Self.rate(sample.successesPerSecond), Self.time(sample.p50), Self.p99(sample),
            Self.refusals(sample),
          ]
        }
      })
  }

  private var memory: String {
    let megabytes = Int((Double(peakKilobytes) / 1024).rounded())
    return "During all of this, the server used at most \(megabytes) MB of memory."
  }

  // MARK: Cells

  /// Rounded to tens, or to hundreds from a thousand on, because the next run differs by more.
  static func rate(_ perSecond: Double) -> String {
    guard perSecond >= 9.95 else { return String(format: "%.1f", perSecond) }
    guard perSecond >= 99.5 else { return "\(Int(perSecond.rounded()))" }
    let unit = perSecond < 995 ? 10 : 100
    return (Int((perSecond / Double(unit)).rounded()) * unit).formatted
  }

  /// A time in milliseconds, or in seconds from one second on.
  static func time(_ milliseconds: Double?) -> String {
    guard let milliseconds else { return "–" }
    if milliseconds < 9.95 { return String(format: "%.1f ms", milliseconds) }
    if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
    return String(format: "%.1f s", milliseconds / 1000)
  }

  /// The p99. If it's nothing but the longest time, because there are fewer than 100 times, the
  /// cell says of how many: `2.6 s (of 37)`.
  static func p99(_ sample: Sample) -> String {
    let count = sample.responses + sample.unanswered
    return time(sample.p99) + ((1..<100).contains(count) ? " (of \(count))" : "")
  }

  /// The share of each status that isn't a success, such as `96 % 429, 1 % 503`.
  static func refusals(_ sample: Sample) -> String {
    let all = sample.responses + sample.unanswered
    guard all > 0 else { return "no responses" }
    var parts = sample.statuses.filter { !(200..<300).contains($0.key) }
      .sorted { $0.key < $1.key }
      .map { "\(share($0.value, of: all)) \($0.key)" }
    if sample.unanswered > 0 {
      parts.append("\(share(sample.unanswered, of: all)) no response")
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  private static func share(_ part: Int, of all: Int) -> String {
    let percent = 100 * Double(part) / Double(all)
    return percent < 1 ? "< 1 %" : "\(Int(percent.rounded())) %"
  }
}

extension LoadReport.Machine {
  /// This machine, today.
  static func current() -> LoadReport.Machine {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_GB")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "d MMMM yyyy"
    #if arch(x86_64)
      let architecture = "x86-64"
    #else
      let architecture = "ARM"
    #endif
    #if DEBUG
      let build = "debug"
    #else
      let build = "release"
    #endif
    return .init(
      cores: ProcessInfo.processInfo.activeProcessorCount, architecture: architecture,
      build: build, date: formatter.string(from: Date()))
  }
}

extension Int {
  /// The number with a comma after the thousands.
  fileprivate var formatted: String {
    self < 1000 ? "\(self)" : "\(self / 1000)," + String(format: "%03d", self % 1000)
  }
}
