import Testing

@testable import Timeline

struct LaneOrderTests {
  private func order(_ run: HandMadeRun) -> [String] {
    lanes(run.part()).map(\.name)
  }

  private func lanes(_ part: Timeline.Recording.Part) -> [Timeline.Lane] {
    let rows = LaneRows(part)
    return LaneOrder(rows.events, causes: rows.causes, origins: rows.origins).lanes
  }

  @Test func valuesFlowDownwards() {
    var run = HandMadeRun()
    // The last lane is used first.
    run.add(0, "latest", .subscription)
    run.add(0, "typed", .subscription)
    let value = run.add(1, "typed", .value("a"))
    run.add(2, "latest", .value("a"), cause: value)
    #expect(order(run) == ["typed", "latest"])
  }

  @Test func failuresAndFinishesFlowDownwards() {
    var run = HandMadeRun()
    for lane in ["c", "b", "a"] as [Timeline.Lane] { run.add(0, lane, .subscription) }
    let failure = run.add(1, "a", .failure("lost"))
    let finish = run.add(1, "b", .finished, cause: failure)
    run.add(1, "c", .finished, cause: finish)
    #expect(order(run) == ["a", "b", "c"])
  }

  @Test func demandAndCancellationRise() {
    var run = HandMadeRun()
    let demand = run.add(0, "c", .request(.unlimited))
    run.add(0, "b", .request(.unlimited), cause: demand)
    let cancel = run.add(1, "b", .cancelled)
    run.add(1, "a", .cancelled, cause: cancel)
    #expect(order(run) == ["a", "b", "c"])
  }

  @Test func aRequestStandsAboveItsTask() {
    var run = HandMadeRun()
    let demand = run.add(0, "data task", .request(.unlimited))
    run.add(
      0, .request("request 1"), .network(.started(method: "GET", url: "https://a.example")),
      cause: demand)
    #expect(order(run) == ["request 1", "data task"])
  }

  private let made = Timeline.Event.Kind.network(.started(method: "GET", url: "https://a.example"))

  /// Each of a retry's requests follows from the failure of the one before it.
  @Test func theRequestsOfARetryStandInTheirOrder() {
    var run = HandMadeRun()
    var cause = run.add(0, .subscriber("text"), .request(.unlimited))
    for number in 1...3 {
      let lane = Timeline.Lane.request("request \(number)")
      let request = run.add(number, lane, made, cause: cause)
      cause = run.add(number, lane, .network(.failed("timedOut")), cause: request)
    }
    let end = run.add(4, .request("request 3"), .network(.finished), cause: cause)
    run.add(4, .subscriber("text"), .value("x"), cause: end)
    #expect(order(run) == ["request 1", "request 2", "request 3", "text"])
  }

  /// The second request loads what the first one's response names, for the same lane.
  @Test func aRequestThatFollowsFromAnotherOnesResponseStandsBelowIt() {
    var run = HandMadeRun()
    let demand = run.add(0, .subscriber("posts"), .request(.unlimited))
    let first = run.add(0, .request("request 1"), made, cause: demand)
    let user = run.add(1, .request("request 1"), .network(.finished), cause: first)
    let second = run.add(1, .request("request 2"), made, cause: user)
    let posts = run.add(2, .request("request 2"), .network(.finished), cause: second)
    run.add(2, .subscriber("posts"), .value("x"), cause: posts)
    #expect(order(run) == ["request 1", "request 2", "posts"])
  }

  @Test func eachRequestStandsAboveTheLaneThatMadeIt() {
    var run = HandMadeRun()
    for (number, name) in ["results for a", "results for b"].enumerated() {
      let lane = Timeline.Lane.request("request \(number + 1)")
      let demand = run.add(number, .operator(name), .request(.unlimited), line: 7)
      let request = run.add(number, lane, made, cause: demand)
      let end = run.add(number + 5, lane, .network(.finished), cause: request)
      run.add(number + 5, .operator(name), .value("x"), cause: end, line: 7)
    }
    #expect(order(run) == ["request 1", "results for a", "request 2", "results for b"])
  }

  @Test func aRequestThatAnswersToAnotherLaneStandsAboveThatOne() {
    var run = HandMadeRun()
    let demand = run.add(0, "first", .request(.unlimited))
    let request = run.add(0, .request("request 1"), made, cause: demand)
    let end = run.add(5, .request("request 1"), .network(.finished), cause: request)
    let value = run.add(5, "deferred", .value("x"), cause: end)
    run.add(5, "first", .value("x"), cause: value)
    #expect(order(run) == ["request 1", "deferred", "first"])
  }

  @Test func aRequestThatAValueStartsStandsBelowIt() {
    var run = HandMadeRun()
    let tick = run.add(0, "ticks", .value("1"))
    let request = run.add(
      0, .request("request 1"), .network(.started(method: "GET", url: "https://a.example")),
      cause: tick)
    let response = run.add(
      1, .request("request 1"), .network(.response(status: 200)), cause: request)
    run.add(1, "reading", .value("x"), cause: response)
    #expect(order(run) == ["ticks", "request 1", "reading"])
  }

  @Test func aPublisherThatAFailureStartsStandsBelowIt() {
    #expect(
      order(HandMadeRun(fallbackRun)) == [
        "request 1", "request 2", "data task", "retry", "request 3", "fallback", "catch", "console",
      ])
  }

  @Test func aSwitchStandsBelowWhatItSwitchesBetween() {
    #expect(
      order(HandMadeRun(searchRun)) == [
        "typed", "debounce", "request 1", "request 2", "results", "latest", "console",
      ])
  }

  @Test func lanesOfOneLineOfCodeStayTogether() {
    var run = HandMadeRun()
    run.add(0, "results for a", .subscription, line: 7)
    run.add(0, "other", .subscription, line: 8)
    run.add(1, "results for b", .subscription, line: 7)
    #expect(order(run) == ["results for a", "results for b", "other"])
  }

  @Test func printedOutputStandsAtTheBottom() {
    var run = HandMadeRun()
    run.add(0, .console, .printed("start"))
    run.add(1, "late", .value("a"))
    #expect(order(run) == ["late", "console"])
  }

  @Test func lanesWithoutCausesStandInOrderOfFirstUse() {
    var run = HandMadeRun()
    for name in ["b", "a", "c"] { run.add(0, .operator(name), .value("x")) }
    #expect(order(run) == ["b", "a", "c"])
  }

  @Test func valuesCountForMoreThanSubscriptions() {
    var run = HandMadeRun()
    let subscription = run.add(0, "inner", .subscription)
    run.add(0, "outer", .subscription, cause: subscription)
    let value = run.add(1, "outer", .value("1"))
    run.add(1, "inner", .value("1"), cause: value)
    #expect(order(run) == ["outer", "inner"])
  }

  @Test func aCircleIsCutAtItsLatestCause() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    let second = run.add(0, "b", .value("1"), cause: first)
    run.add(0, "a", .value("2"), cause: second)
    #expect(order(run) == ["a", "b"])
  }

  @Test(arguments: 0..<200)
  func anyRecordingHasAnOrderOfAllItsLanes(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    for part in random.nextUnruly().parts {
      let lanes = lanes(part)
      #expect(Set(lanes) == Set(part.events.map(\.lane)))
      #expect(lanes.count == Set(lanes).count)
    }
  }
}

extension HandMadeRun {
  /// The events of a recording's first part.
  init(_ recording: Timeline.Recording) { self.init(events: recording.parts[0].events) }
}
