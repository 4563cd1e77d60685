import Foundation

/// The tables of the page.
struct Report {
  let times: [Comparison]
  let memory: [MemoryComparison]

  var lines: [String] {
    let date = Date().formatted(
      Date.FormatStyle(locale: Locale(identifier: "en_GB"), timeZone: .gmt).day().month(.wide)
        .year())
    return [
      "Measured on \(date) by `make bench-peers`, with OpenCombine 0.14.0 and a release build. The",
      "columns in the middle are ratios to the loop.",
      "",
      "| Work | Loop | Here | OpenCombine | Ahead by |", "| --- | ---: | ---: | ---: | ---: |",
    ]
      + times.map {
        "| \($0.name) | \($0.loop.nanoseconds) | \(($0.ours / $0.loop).times) "
          + "| \(($0.openCombine / $0.loop).times) | \($0.lead.times) |"
      } + [
        "", "One more subscription keeps this much memory:", "",
        "| Subscription | Here | OpenCombine |", "| --- | ---: | ---: |",
      ] + memory.map { "| \($0.name) | \($0.ours) bytes | \($0.openCombine) bytes |" }
  }
}

/// The part of the page between `<!-- bench-peers -->` and `<!-- /bench-peers -->`.
struct PageBlock {
  private let page: URL
  private let before: [String]
  private let after: [String]

  init(page: URL) throws {
    guard let text = try? String(contentsOf: page, encoding: .utf8) else {
      throw UsageError("can't read the page \(page.path()). Give the path of docs/performance.md")
    }
    let lines = text.components(separatedBy: "\n")
    guard let first = lines.firstIndex(of: "<!-- bench-peers -->"),
      let last = lines.firstIndex(of: "<!-- /bench-peers -->"), first < last
    else {
      throw UsageError(
        "\(page.path()) needs the lines <!-- bench-peers --> and <!-- /bench-peers -->")
    }
    self.page = page
    before = Array(lines[...first])
    after = Array(lines[last...])
  }

  func write(_ lines: [String]) throws {
    try (before + [""] + lines + [""] + after).joined(separator: "\n")
      .write(to: page, atomically: true, encoding: .utf8)
  }
}
