import ServerTestSupport
import Testing

@testable import server_load

/// Reads what `ab` printed. The texts below are its own, shortened.
@Suite struct SampleTests {
  @Test func statusesAreCountedInTheLogAndTimesAreReadFromTheFile() throws {
    let sample = try Sample(
      output: log(Array(repeating: "200", count: 97) + ["429", "200", "503", "201"])
        + summary(complete: 101), errors: "", percentiles: file { 0.5 + Double($0) })
    #expect(
      sample
        == Sample(
          statuses: [200: 98, 201: 1, 429: 1, 503: 1], unanswered: 0, seconds: 2.5,
          percentiles: (0...100).map { 0.5 + Double($0) }))
    #expect(sample.successes == 99)
    #expect(sample.successesPerSecond == 39.6)
    #expect(sample.p50 == 50.5)
    #expect(sample.p99 == 99.5)
  }

  /// Up to 50 requests, `ab` writes times that aren't any request's.
  @Test(arguments: [(1, 50), (12, 96), (50, 99)])
  func timesFromBehindTheEndAreTheLongest(requests: Int, firstWrong: Int) throws {
    let sample = try Sample(
      output: log(Array(repeating: "200", count: requests)) + summary(complete: requests),
      errors: "",
      percentiles: file { $0 == 100 ? 70 : $0 < firstWrong ? 60 : 0.257 })
    #expect(
      sample.percentiles
        == Array(repeating: 60, count: firstWrong) + Array(repeating: 70, count: 101 - firstWrong))
  }

  /// `ab` counts a connection that's closed without a response as a complete request, and not as a
  /// failed one.
  @Test func aClosedConnectionWithoutAResponseIsNotASuccess() throws {
    let sample = try Sample(
      output: log(["200", "200"]) + summary(complete: 5), errors: "", percentiles: file { _ in 1 })
    #expect(sample.successes == 2)
    #expect(sample.unanswered == 3)
    #expect(sample.outcome == "2 × 200, 3 without a response")
  }

  /// At the time limit, `ab` doesn't count a response whose body hasn't arrived.
  @Test func aResponseThatTheEndCutsOffCountsAsOne() throws {
    let sample = try Sample(
      output: log(["200", "200"]) + summary(complete: 1), errors: "", percentiles: file { _ in 1 })
    #expect(sample.statuses == [200: 2])
    #expect(sample.unanswered == 0)
  }

  @Test func aRunWithoutACompleteRequestHasNoTimes() throws {
    let sample = try Sample(output: summary(complete: 0), errors: "", percentiles: nil)
    #expect(sample == Sample(statuses: [:], unanswered: 0, seconds: 2.5, percentiles: []))
    #expect(sample.p99 == nil)
    #expect(sample.successesPerSecond == 0)
    #expect(sample.outcome == "no responses")
  }

  @Test func aRunThatGaveUpIsAnErrorWithItsReason() {
    #expect {
      try Sample(
        output: log(["200"]),
        errors: "another line\napr_pollset_poll: The timeout specified has expired (70007)\n",
        percentiles: nil)
    } throws: {
      "\($0)" == "ab printed no number for \"Complete requests\": "
        + "apr_pollset_poll: The timeout specified has expired (70007)"
    }
  }

  @Test(arguments: [
    "Percentage served,Time in ms\n0,1.0\n1,2.0\n",
    "Percentage served,Time in ms\n" + (0...100).map { "\($0),\(200 - $0).0\n" }.joined(),
    "Percentage served,Time in ms\n" + (1...101).map { "\($0),1.0\n" }.joined(),
    "",
  ])
  func timesThatAreMissingOrOutOfOrderAreAnError(_ file: String) {
    #expect(throws: Program.Failure.self) {
      try Sample(
        output: log(["200"]) + summary(complete: 1), errors: "", percentiles: file)
    }
  }

  // MARK: Merging

  @Test func mergingOneSampleChangesNothing() {
    let sample = Sample(
      statuses: [200: 700, 429: 7], unanswered: 3, seconds: 3,
      percentiles: (0...100).map(Double.init)
    )
    #expect(Sample(merging: [sample]) == sample)
  }

  /// A client with 900 short requests and one with 100 long ones: nine tenths are short.
  @Test func eachClientHasTheWeightOfItsRequests() {
    let short = Sample(
      statuses: [429: 900], unanswered: 0, seconds: 2, percentiles: Array(repeating: 1, count: 101))
    let long = Sample(
      statuses: [200: 60], unanswered: 40, seconds: 3,
      percentiles: Array(repeating: 500, count: 101))
    let merged = Sample(merging: [long, short])
    #expect(
      merged
        == Sample(
          statuses: [200: 60, 429: 900], unanswered: 40, seconds: 3,
          percentiles: Array(repeating: 1, count: 91) + Array(repeating: 500, count: 10)))
  }

  @Test func aClientWithoutResponsesHasNoWeight() {
    let none = Sample(statuses: [:], unanswered: 0, seconds: 4, percentiles: [])
    let some = Sample(
      statuses: [200: 10], unanswered: 0, seconds: 2, percentiles: (0...100).map(Double.init))
    #expect(
      Sample(merging: [none, some])
        == Sample(
          statuses: [200: 10], unanswered: 0, seconds: 4, percentiles: some.percentiles))
    #expect(Sample(merging: [none, none]).percentiles == [])
  }

  // MARK: What ab prints

  private func log(_ statuses: [String]) -> String {
    statuses.map { status in
      "LOG: header received:\nHTTP/1.0 \(status) Some Reason\nContent-Type: application/json\n"
        + "Content-Length: 2\n\n[]\n"
        + (status.hasPrefix("2")
          ? "LOG: Response code = \(status)\n"
          : "WARNING: Response code not 2xx (\(status))\n")
    }
    .joined()
  }

  private func summary(complete: Int) -> String {
    """
    ..done


    Server Hostname:        127.0.0.1
    Server Port:            8099

    Concurrency Level:      4
    Time taken for tests:   2.500 seconds
    Complete requests:      \(complete)
    Failed requests:        0
    Non-2xx responses:      21
    Total transferred:      7464 bytes
    Requests per second:    1010.32 [#/sec] (mean)

    """
  }

  private func file(_ time: (Int) -> Double) -> String {
    "Percentage served,Time in ms\n" + (0...100).map { "\($0),\(time($0))\n" }.joined()
  }
}
