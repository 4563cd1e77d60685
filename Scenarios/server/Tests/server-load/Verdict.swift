import ServerTestSupport

/// A round without a flood of logins, and the round with one that came right after it.
struct Pair: Equatable, Sendable {
  let quiet: Sample
  let flooded: Sample

  /// How many times as long the p99 is with the flood; infinite if the flood leaves too few
  /// responses for a p99.
  var ratio: Double {
    guard let quiet = quiet.p99, let flooded = flooded.p99, quiet > 0,
      self.flooded.successes >= Verdict.fewestSuccesses
    else { return .infinity }
    return flooded / quiet
  }

  /// Why the round without a flood can't be compared with anything; `nil` if it can.
  ///
  /// This is a problem of the test or of the machine, and doesn't say anything about floods.
  var problem: String? {
    if quiet.successes != quiet.responses + quiet.unanswered {
      return "without a flood, the server refused requests: \(quiet.outcome)"
    }
    if quiet.successes < Verdict.fewestSuccesses {
      return "without a flood, there were too few responses for a p99: \(quiet.outcome), and "
        + "\(Verdict.fewestSuccesses) are needed"
    }
    return nil
  }
}

/// The judgement on reading while there is a flood: the p99 may be up to 5 times as long.
///
/// Each pair of rounds has a vote. The judgement is the one that 3 pairs agree on, which is what
/// the median of 5 pairs would say. So one or two rounds that something else on the machine
/// disturbs don't decide, in either direction.
enum Verdict: Equatable {
  case passed
  case failed

  /// The most times as long that the p99 may be.
  static let longestRatio = 5.0
  /// The fewest responses that have a p99. It's then the fifth longest time or one further down.
  static let fewestSuccesses = 500
  static let votes = 3

  /// Judges the pairs so far.
  ///
  /// - Parameter votes: How many pairs must agree.
  /// - Returns: `nil` if more pairs are needed.
  /// - Throws: `Program.Failure` if a round without a flood can't be compared.
  static func of(_ pairs: [Pair], votes: Int = Self.votes) throws -> Verdict? {
    if let problem = pairs.lazy.compactMap(\.problem).first {
      throw Program.Failure(description: problem)
    }
    let passed = pairs.filter { $0.ratio <= longestRatio && $0.isServed }.count
    if passed >= votes { return .passed }
    return pairs.count - passed >= votes ? .failed : nil
  }
}

extension Pair {
  /// Whether the server refused or lost none of the requests during the flood.
  var isServed: Bool { flooded.successes == flooded.responses + flooded.unanswered }
}

extension [Pair] {
  /// The pair with the median ratio. Of an even number of pairs, it's the longer one of the two in
  /// the middle.
  var median: Pair? {
    isEmpty ? nil : sorted { $0.ratio < $1.ratio }[count / 2]
  }
}

extension Sample {
  /// The number of responses with each status, such as `812 × 200, 3 × 503, 1 without a response`.
  var outcome: String {
    var parts = statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    if unanswered > 0 { parts.append("\(unanswered) without a response") }
    return parts.isEmpty ? "no responses" : parts.joined(separator: ", ")
  }
}
