import ServerTestSupport
import Testing

@testable import server_load

/// The judgement on reading during a flood of logins.
@Suite struct VerdictTests {
  @Test(arguments: [
    // Three pairs agree.
    ([1.2, 2, 5], Verdict.passed),
    ([5.1, 60, 90], .failed),
    // One or two rounds that something else disturbs don't decide, in either direction.
    ([1.2, 80, 2, 40, 5], .passed),
    ([60, 0.5, 70, 2, 90], .failed),
  ])
  func threePairsDecide(ratios: [Double], verdict: Verdict) throws {
    let pairs = ratios.map { pair(ratio: $0) }
    #expect(try Verdict.of(pairs) == verdict)
    // And not before the last one.
    #expect(try Verdict.of(pairs.dropLast()) == nil)
  }

  /// So it doesn't take three rounds to see that the next number of connections fails too.
  @Test func onePairCanBeEnough() throws {
    #expect(try Verdict.of([pair(ratio: 5)], votes: 1) == .passed)
    #expect(try Verdict.of([pair(ratio: 5.1)], votes: 1) == .failed)
  }

  /// A server that answers five requests per second may answer those quickly.
  @Test(arguments: [(499, Double.infinity, Verdict.failed), (500, 1, .passed)])
  func tooFewResponsesDuringTheFloodFail(
    responses: Int, ratio: Double, verdict: Verdict
  ) throws {
    let starved = Pair(quiet: sample(p99: 2), flooded: sample(p99: 2, statuses: [200: responses]))
    #expect(starved.ratio == ratio)
    #expect(try Verdict.of([starved, starved, starved]) == verdict)
  }

  @Test(arguments: [sample(p99: 2, statuses: [200: 999, 503: 1]), sample(p99: 2, unanswered: 1)])
  func aReadThatTheFloodMakesTheServerRefuseFails(flooded: Sample) throws {
    let refused = Pair(quiet: sample(p99: 2), flooded: flooded)
    #expect(refused.ratio == 1)
    #expect(try Verdict.of([refused, refused, refused]) == .failed)
  }

  @Test(arguments: [
    (
      sample(p99: 2, statuses: [200: 499]),
      "without a flood, there were too few responses for a p99: 499 × 200, and 500 are needed"
    ),
    (
      sample(p99: 2, statuses: [200: 999, 429: 2]),
      "without a flood, the server refused requests: 999 × 200, 2 × 429"
    ),
    (
      sample(p99: 2, unanswered: 1),
      "without a flood, the server refused requests: 1000 × 200, 1 without a response"
    ),
  ])
  func aRoundWithoutAFloodThatMeasuresNothingIsAnError(quiet: Sample, message: String) {
    let unusable = Pair(quiet: quiet, flooded: sample(p99: 2))
    #expect {
      try Verdict.of([pair(ratio: 1), unusable])
    } throws: {
      "\($0)" == message
    }
  }

  @Test func thePageShowsThePairInTheMiddle() {
    #expect([pair(ratio: 9), pair(ratio: 1), pair(ratio: 3)].median == pair(ratio: 3))
    #expect([pair(ratio: 1), pair(ratio: 3)].median == pair(ratio: 3))
    #expect([Pair]().median == nil)
  }
}

// Shorter in the output of the tests than all times.
extension Sample: CustomTestStringConvertible {
  public var testDescription: String { outcome }
}

private func sample(
  p99: Double, statuses: [Int: Int] = [200: 1000], unanswered: Int = 0
) -> Sample {
  Sample(
    statuses: statuses, unanswered: unanswered, seconds: 2,
    percentiles: Array(repeating: p99 / 2, count: 99) + [p99, p99])
}

private func pair(ratio: Double) -> Pair {
  Pair(quiet: sample(p99: 2), flooded: sample(p99: 2 * ratio))
}
