import Foundation
import ServerTestSupport

/// The results of one or more runs of `ab`.
struct Sample: Equatable, Sendable {
  /// The number of responses with each status.
  var statuses: [Int: Int]
  /// The number of requests that got no response: the connection was closed or broke.
  var unanswered: Int
  /// How long the run took, in seconds.
  var seconds: Double
  /// 101 times in milliseconds, from the shortest (0) to the longest (100): the time within which
  /// that many percent of the requests were complete. It's empty if none was.
  ///
  /// The time of a request begins before its connection is made, and ends with its response.
  var percentiles: [Double]

  var responses: Int { statuses.values.reduce(0, +) }

  /// The number of requests that succeeded.
  var successes: Int { statuses.filter { (200..<300).contains($0.key) }.values.reduce(0, +) }

  /// The requests that succeeded, per second.
  var successesPerSecond: Double { seconds > 0 ? Double(successes) / seconds : 0 }

  /// The time within which half of all requests were complete, in milliseconds.
  var p50: Double? { percentiles.isEmpty ? nil : percentiles[50] }

  /// The time within which 99 % of all requests were complete, in milliseconds.
  var p99: Double? { percentiles.isEmpty ? nil : percentiles[99] }
}

extension Sample {
  /// Reads what `ab -v 3` printed.
  ///
  /// Statuses are counted in the log of the responses, because the summary counts a connection
  /// that's closed without a response as a success.
  ///
  /// - Parameters:
  ///   - percentiles: The content of the file of `ab -e`; `nil` if there is none, because not a
  ///     single request was completed.
  init(output: String, errors: String, percentiles: String?) throws {
    statuses = [:]
    var summary: [Substring: Substring] = [:]
    for line in output.split(whereSeparator: \.isNewline) {
      if let status = Self.status(in: line) {
        statuses[status, default: 0] += 1
      } else if let colon = line.firstIndex(of: ":") {
        summary[line[..<colon]] = line[line.index(after: colon)...]
      }
    }
    func number<Number: LosslessStringConvertible>(_ name: Substring) throws -> Number {
      guard let word = summary[name]?.split(separator: " ").first, let number = Number(String(word))
      else {
        // There may be many lines, such as one for each refused connection.
        let reason = errors.split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
        throw Program.Failure(description: "ab printed no number for \"\(name)\"\(reason)")
      }
      return number
    }
    let complete: Int = try number("Complete requests")
    seconds = try number("Time taken for tests")
    self.percentiles = complete == 0 ? [] : try Self.times(percentiles ?? "", of: complete)
    // A response whose rest is missing at the end of the run is logged, and isn't complete.
    unanswered = max(0, complete - statuses.values.reduce(0, +))
  }

  /// The status in a line of the log: `LOG: Response code = 200` or
  /// `WARNING: Response code not 2xx (429)`.
  private static func status(in line: Substring) -> Int? {
    if line.hasPrefix("LOG: Response code = ") {
      return Int(line.dropFirst("LOG: Response code = ".count))
    }
    guard line.hasPrefix("WARNING: Response code not 2xx ("), line.hasSuffix(")") else {
      return nil
    }
    return Int(line.dropFirst("WARNING: Response code not 2xx (".count).dropLast())
  }

  /// The times in the file of `ab -e`: a header, then `0,0.547` to `100,11.635`.
  ///
  /// Up to 50 requests, `ab` reads the times of the last percents from behind the end of its array.
  /// Those are the longest time, which is in the file's last row.
  private static func times(_ file: String, of complete: Int) throws -> [Double] {
    let rows = file.split(whereSeparator: \.isNewline).dropFirst()
    var times = rows.enumerated().compactMap { number, row -> Double? in
      let cells = row.split(separator: ",")
      return cells.count == 2 && Int(cells[0]) == number ? Double(cells[1]) : nil
    }
    for percent in times.indices where Int(0.5 + Double(complete * percent) / 100) >= complete {
      times[percent] = times[times.count - 1]
    }
    guard times.count == 101, times == times.sorted() else {
      throw Program.Failure(
        description: "expected the times of 0 to 100 percent from ab, in rising order, and found "
          + "\(times.count) in \(rows.count) rows")
    }
    return times
  }
}

extension Sample {
  /// Joins the results of clients that ran at the same time.
  ///
  /// A client's times are known in steps of one percent. So each of its steps counts as a hundredth
  /// of its requests.
  init(merging samples: [Sample]) {
    statuses = samples.reduce(into: [:]) { $0.merge($1.statuses, uniquingKeysWith: +) }
    unanswered = samples.map(\.unanswered).reduce(0, +)
    seconds = samples.map(\.seconds).max() ?? 0
    let slices =
      samples.flatMap { sample in
        sample.percentiles.dropFirst().map {
          (time: $0, weight: Double(sample.responses + sample.unanswered) / 100)
        }
      }
      .sorted { $0.time < $1.time }
    let total = slices.map(\.weight).reduce(0, +)
    guard let shortest = samples.compactMap(\.percentiles.first).min() else {
      percentiles = []
      return
    }
    percentiles = [shortest]
    var sum = 0.0
    for slice in slices {
      sum += slice.weight
      // The small number makes up for the rounding of the sum.
      while percentiles.count <= 100, sum >= total * Double(percentiles.count) / 100 - 1e-6 {
        percentiles.append(slice.time)
      }
    }
  }
}
