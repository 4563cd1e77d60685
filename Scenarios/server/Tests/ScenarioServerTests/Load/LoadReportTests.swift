import Testing

@testable import server_load

/// The table in `Results/load.md`.
@Suite struct LoadReportTests {
  @Test func theBlockHasTheMachineTheTableAndTheMemory() {
    let report = LoadReport(
      machine: .init(cores: 2, architecture: "x86-64", build: "release", date: "1 May 2026"),
      rows: [
        .init(
          endpoint: .read, connections: 16, flood: .blockedChanges,
          pair: Pair(
            quiet: sample([200: 1500], seconds: 2, p50: 1.54, p99: 12.4),
            flooded: sample([200: 1500], seconds: 4, p50: 3.06, p99: 25.6))),
        .init(
          endpoint: .logIn, connections: 200, flood: .logins,
          pair: Pair(
            quiet: sample([200: 18, 429: 900, 503: 1082], seconds: 5, p50: 2, p99: 1234),
            flooded: Sample(statuses: [:], unanswered: 0, seconds: 5, percentiles: []))),
      ],
      peakKilobytes: 61_000)
    #expect(
      report.lines == [
        "`make server-load` measured this on 1 May 2026, with a release build, on 2 x86-64 cores that "
          + "the",
        "clients use too. The flood of logins is 32 connections from 8 addresses, all with wrong "
          + "passwords.",
        "The flood of changes is 8 connections that post todos while another program holds the "
          + "database.",
        "",
        "| Request | Connections | Flood | Successes per second | p50 | p99 | Refused |",
        "| --- | ---: | --- | ---: | ---: | ---: | --- |",
        "| `GET /todos` | 16 | none | 750 | 1.5 ms | 12 ms | none |",
        "| `GET /todos` | 16 | changes | 380 | 3.1 ms | 26 ms | none |",
        "| `POST /login` | 200 | none | 3.6 | 2.0 ms | 1.2 s | 45 % 429, 54 % 503 |",
        "| `POST /login` | 200 | logins | 0.0 | – | – | no responses |",
        "",
        "During all of this, the server used at most 60 MB of memory.",
      ])
  }

  @Test(arguments: [
    (0, "0.0"), (4.96, "5.0"), (9.94, "9.9"), (9.96, "10"), (47.6, "48"), (99.6, "100"),
    (476, "480"), (994, "990"), (996, "1,000"), (12_345, "12,300"),
  ])
  func aRateIsRounded(perSecond: Double, text: String) {
    #expect(LoadReport.rate(perSecond) == text)
  }

  @Test(arguments: [
    (0.547, "0.5 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"), (999.4, "999 ms"), (999.6, "1.0 s"),
    (33_049, "33.0 s"),
  ])
  func aTimeIsRounded(milliseconds: Double, text: String) {
    #expect(LoadReport.time(milliseconds) == text)
  }

  @Test(arguments: [(37, "2.6 s (of 37)"), (99, "2.6 s (of 99)"), (100, "2.6 s")])
  func theLongestOfAFewTimesSaysOfHowMany(responses: Int, text: String) {
    #expect(LoadReport.p99(sample([200: responses], seconds: 5, p50: 900, p99: 2600)) == text)
  }

  @Test func aSmallShareIsNotZero() {
    let sample = Sample(
      statuses: [200: 998, 503: 1], unanswered: 1, seconds: 1, percentiles: [])
    #expect(LoadReport.refusals(sample) == "< 1 % 503, < 1 % no response")
  }

  private func sample(
    _ statuses: [Int: Int], seconds: Double, p50: Double, p99: Double
  ) -> Sample {
    Sample(
      statuses: statuses, unanswered: 0, seconds: seconds,
      percentiles: Array(repeating: p50, count: 99) + [p99, p99])
  }
}
