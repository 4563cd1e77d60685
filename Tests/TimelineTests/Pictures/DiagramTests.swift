import Testing

@testable import Timeline
@testable import TimelinePictures

struct DiagramTests {
  /// The name of each mark's row, its column and its level, such as `load 1 0/2`.
  private func places(_ run: HandMadeRun) -> [String] {
    let diagram = Diagram(LaneRows(run.part()))
    return diagram.marks.map {
      "\(diagram.lanes.rows[$0.row].name) \($0.column)/\($0.level)"
    }
  }

  /// The ways of all arrows that aren't straight at their cause or effect, such as `1→2 beside 0`.
  private func ways(_ run: HandMadeRun) -> [String] {
    ArrowRoutes(Diagram(LaneRows(run.part()))).routes.map { route in
      let arrow = "\(route.arrow.cause + 1)→\(route.arrow.effect + 1)"
      func way(_ way: ArrowRoutes.Way, _ word: String) -> String {
        switch way {
        case .straight: ""
        case .beside(let track): " \(word) beside \(track)"
        case .waiting: " waits"
        }
      }
      return arrow + way(route.start, "from") + way(route.end, "to")
    }
  }

  private func arrows(_ run: HandMadeRun) -> [String] {
    Diagram(LaneRows(run.part())).arrows.map {
      "\($0.cause + 1)→\($0.effect + 1)\($0.hasTimer ? " timer" : "")"
    }
  }

  @Test func anInstantIsAColumnAndAPushIsALevel() {
    var run = HandMadeRun()
    run.pass(0, .subscription, down: ["a", "b", "c"], cause: nil)
    run.pass(0, .value("2"), down: ["a", "b"], cause: nil)
    run.pass(5, .value("3"), down: ["a", "b"], cause: nil)
    #expect(places(run) == ["a 0/0", "b 0/0", "c 0/0", "a 0/1", "b 0/1", "a 1/0", "b 1/0"])
    #expect(arrows(run) == ["4→5", "6→7"])
  }

  @Test func subscriptionsOfTheProgramShareALevelIfTheirRowsAreFree() {
    var run = HandMadeRun()
    run.subscribe(0, ["a", "b"])
    run.subscribe(0, ["c"])
    run.add(0, "a", .subscription, life: 2)
    run.add(0, "c", .value("x"), life: 1)
    run.add(0, "d", .subscription)
    #expect(
      places(run) == [
        "a 1 0/0", "b 0/0", "b 0/0", "a 1 0/0", "c 0/0", "c 0/0", "a 2 0/0", "c 0/1", "d 0/0",
      ])
    #expect(arrows(run) == [])
  }

  @Test func aHopToAnotherQueueStartsALevel() {
    var run = HandMadeRun()
    for kind: Timeline.Event.Kind in [.subscription, .value("2")] {
      let sent = run.add(0, "a", kind, thread: "loader")
      run.add(0, "b", kind, cause: sent, thread: "main")
    }
    #expect(places(run) == ["a 0/0", "b 0/1", "a 0/2", "b 0/3"])
  }

  @Test func anEventAfterAForeignOneIsNotInTheMiddleOfItsCause() {
    var run = HandMadeRun()
    let load = run.add(0, "load", .value("1"))
    let first = run.add(0, "first", .value("1"), cause: load)
    let second = run.add(0, "second", .value("1"), cause: load)
    // By its number, this comes after the second one, so it waited for something.
    run.add(0, "user", .value("1"), cause: first)
    run.add(0, "status", .value("1"), cause: second)
    run.add(0, "user", .cancelled)
    run.add(0, "status", .cancelled)
    #expect(
      places(run) == [
        "load 0/0", "first 0/0", "second 0/0", "user 0/0", "status 0/1", "user 0/2", "status 0/3",
      ])
    #expect(arrows(run) == ["1→2", "1→3", "2→4", "3→5"])
  }

  @Test func anEffectAfterSomeTimeHasATimer() {
    var run = HandMadeRun()
    let value = run.add(0, "typed", .value("a"))
    run.add(300, "debounce", .value("a"), cause: value)
    #expect(arrows(run) == ["1→2 timer"])
  }

  @Test func aSourceThatAnswersLaterHasNoArrowFromWhatStartedIt() {
    var run = HandMadeRun()
    let latest = run.add(0, "flatMap", .subscription)
    let demand = run.add(0, "flatMap", .request(.unlimited), cause: latest)
    run.add(0, "users", .subscription, cause: demand)
    // Its timer was started before the event of the subscription, so the cause is the demand.
    let user = run.add(1, "users", .value("Ann"), cause: demand)
    run.add(1, "download", .subscription, cause: user, life: 1)
    let photo = run.add(5, "download", .value("ann.png"), cause: user, life: 1)
    run.add(5, "flatMap", .value("ann.png"), cause: photo)
    run.add(6, "download", .finished, cause: user, life: 1)
    // Only the start of the download, and the photo on its way down.
    #expect(arrows(run) == ["4→5", "6→7"])
  }

  @Test func aSourceThatAnswersAtOnceHasAnArrow() {
    var run = HandMadeRun()
    let user = run.add(0, "users", .value("Ann"))
    run.add(0, "subject", .subscription, cause: user)
    run.add(0, "subject", .value("Ann"), cause: user)
    #expect(arrows(run) == ["1→2", "1→3"])
  }

  @Test func anEffectOfALaterEventHasAnArrow() {
    var run = HandMadeRun()
    run.subscribe(0, ["typed", "debounce"])
    let typed = run.add(5, "typed", .value("a"), life: 1)
    run.add(300, "debounce", .value("a"), cause: typed, life: 1)
    run.add(900, "debounce", .cancelled, cause: 1, life: 1)
    #expect(arrows(run) == ["5→6 timer", "1→7 timer"])
  }

  @Test func demandStandsAtTheMarkBeforeIt() {
    var run = HandMadeRun()
    run.subscribe(0, ["a"])
    let value = run.add(5, "a", .value("1"), life: 1)
    run.add(5, "a", .request(.max(1)), cause: value, life: 1)
    run.add(5, "a", .request(.max(1)), cause: value, life: 1)
    run.add(9, "a", .request(.max(1)), life: 1)
    let marks = Diagram(LaneRows(run.part())).marks
    #expect(marks.map(\.anchor) == [nil, 0, nil, 2, 3, nil])
    #expect(marks.map(\.column) == [0, 0, 1, 1, 1, 2])
  }

  @Test func finishesHaveAnArrowOnlyIfNoValueHasShownTheWay() {
    var run = HandMadeRun()
    run.pass(0, .value("1"), down: ["a", "b"], cause: nil)
    run.pass(1, .finished, down: ["a", "b", "c"], cause: nil)
    #expect(arrows(run) == ["1→2", "4→5"])
  }

  @Test func theConsoleHasArrowsOnlyFromTheLaneAboveIt() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    run.add(0, .console, .printed("one"), cause: first)
    let second = run.add(0, "b", .value("2"), cause: first)
    run.add(0, .console, .printed("two"), cause: second, from: [second])
    #expect(arrows(run) == ["1→3", "3→4"])
    #expect(Diagram(LaneRows(run.part())).arrows.map(\.isMade) == [false, true])
  }

  @Test func aValueHasAnArrowFromEachThatItIsMadeOf() {
    var run = HandMadeRun()
    let left = run.add(0, "left", .value("1"))
    let right = run.add(5, "right", .value("a"))
    run.add(5, "zip", .value("1a"), cause: right, from: [left, right])
    let diagram = Diagram(LaneRows(run.part()))
    #expect(arrows(run) == ["1→3", "2→3"])
    #expect(diagram.arrows.map(\.isMade) == [true, true])
    #expect(diagram.arrows.map(\.spine) == [1, 0])
    #expect(places(run) == ["left 0/0", "right 1/0", "zip 1/0"])
  }

  @Test func whatOnlyLetAValueOutHasAnArrowOfItsOwn() {
    var run = HandMadeRun()
    let first = run.add(0, "moves", .value("1"))
    let second = run.add(5, "moves", .value("2"))
    run.add(9, "throttle", .value("2"), cause: first, from: [second])
    let diagram = Diagram(LaneRows(run.part()))
    #expect(arrows(run) == ["2→3", "1→3 timer"])
    #expect(diagram.arrows.map(\.isMade) == [true, false])
  }

  @Test func aRunningTotalHasAnArrowFromWhatIsNew() {
    var run = HandMadeRun()
    let coins = (0..<3).map { run.add($0, "coins", .value("\($0)")) }
    for (index, coin) in coins.enumerated() {
      run.add(index + 10, "scan", .value("sum"), cause: coin, from: Array(coins[...index]))
    }
    #expect(arrows(run) == ["1→4 timer", "2→5 timer", "3→6 timer"])
  }

  @Test func whatComesOfAResponseAtOnceStandsInItsBox() {
    var run = HandMadeRun()
    let made = run.add(
      0, .request("r"), .network(.started(method: "GET", url: "https://a.example")))
    let response = run.add(5, .request("r"), .network(.response(status: 200)), cause: made)
    let chunk = run.add(5, .request("r"), .network(.chunk(bytes: 9)), cause: response)
    let end = run.add(5, .request("r"), .network(.finished), cause: chunk)
    run.add(5, "task", .value("9 bytes"), cause: end)
    let diagram = Diagram(LaneRows(run.part()))
    #expect(diagram.marks.map(\.column) == [0, 1, 1, 1, 1])
    #expect(diagram.marks.map(\.anchor) == [nil, nil, 1, 1, nil])
    #expect(diagram.signs[1] == .response("200, 9 B", hasFoot: true))
    #expect(arrows(run) == ["2→5"])
  }

  @Test func printedLinesHaveNoLevels() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .subscription)
    for line in ["one", "two"] { run.add(0, .console, .printed(line), cause: value) }
    run.add(0, "a", .value("2"))
    run.add(0, .console, .printed("three"))
    run.add(5, .console, .printed("four"))
    #expect(
      places(run) == ["a 0/0", "console 0/0", "console 0/0", "a 0/1", "console 0/0", "console 1/0"])
  }

  @Test func anEndStandsBehindTheValueBeforeItUnlessItNeedsAnArrow() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"))
    run.add(0, "b", .value("1"), cause: value)
    run.add(0, "a", .finished)
    run.add(0, "b", .finished)
    #expect(Diagram(LaneRows(run.part())).marks.map(\.anchor) == [nil, nil, 0, 1])
    var other = HandMadeRun()
    let first = other.add(0, "a", .value("1"))
    other.add(0, "b", .value("mine"))
    other.add(0, "b", .finished, cause: first)
    #expect(Diagram(LaneRows(other.part())).marks.map(\.anchor) == [nil, nil, nil])
  }

  @Test func aResponseWithSomethingInBetweenIsInPieces() {
    var run = HandMadeRun()
    let response = run.add(5, .request("r"), .network(.response(status: 200)))
    run.add(5, .console, .printed("a response"), cause: response)
    run.add(5, .request("r"), .network(.chunk(bytes: 9)), cause: response)
    run.add(8, .request("r"), .network(.chunk(bytes: 2)))
    #expect(Diagram(LaneRows(run.part())).marks.map(\.anchor) == [nil, nil, nil, nil])
  }

  @Test func responsesThatArriveByTurnsAreABoxEach() {
    var run = HandMadeRun()
    let parts: [Timeline.Event.Network] = [
      .response(status: 200), .chunk(bytes: 9), .finished,
    ]
    for part in parts {
      run.add(5, .request("r"), .network(part))
      run.add(5, .request("s"), .network(part))
    }
    let diagram = Diagram(LaneRows(run.part()))
    #expect(places(run) == ["r 0/0", "s 0/0", "r 0/0", "s 0/0", "r 0/0", "s 0/0"])
    #expect(diagram.signs[0] == .response("200, 9 B", hasFoot: true))
    #expect(diagram.signs[1] == .response("200, 9 B", hasFoot: true))
  }

  @Test func aRequestRisesFromTheDemandOfItsTask() {
    let diagram = Diagram(LaneRows(fallbackRun.parts[0]))
    let arrow = diagram.arrows[0]
    // From the triangle that the demand stands at.
    #expect(diagram.marks[arrow.cause].event.kind == .subscription)
    #expect(diagram.marks[arrow.cause].event.lane.name == "data task")
    #expect(diagram.marks[arrow.effect].event.lane.name == "request 1")
  }

  @Test func aHiddenEventHasThePlaceOfItsCause() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"))
    run.add(0, .console, .printed("1"), cause: value)
    run.add(5, .console, .printed("2"))
    let diagram = Diagram(LaneRows(run.part()) { event, _ in event.lane == .console })
    #expect(diagram.lanes.rows.map(\.name) == ["a"])
    #expect(diagram.marks.map(\.isHidden) == [false, true, true])
    #expect(diagram.marks.map(\.column) == [0, 0, 1])
  }

  @Test func describesEachRowInASentence() {
    let descriptions = Diagram(LaneRows(fallbackRun.parts[0])).descriptions(timesIn: .milliseconds)
    #expect(
      descriptions.prefix(3) == [
        "request 1: made at 0, fails with networkConnectionLost at 60.",
        "request 2: made at 60, fails with networkConnectionLost at 120.",
        "data task: subscribed at 0, fails with networkConnectionLost, subscribed at 60, "
          + "fails with networkConnectionLost at 120.",
      ])
  }

  @Test func whatHappensTwiceInARowAtAnInstantStandsInLevels() {
    var run = HandMadeRun()
    run.add(0, "prices", .subscription)
    let price = run.add(0, "prices", .value("1"))
    run.add(0, "filter", .subscription)
    run.add(0, "filter", .value("1"), cause: price, from: [price])
    #expect(places(run) == ["prices 0/0", "prices 0/1", "filter 0/2", "filter 0/3"])
  }

  /// Then a picture reads from left to right, as it does where time goes on.
  @Test func pushesHaveColumnsIfARowHasMoreThanTwoMarksAtAnInstant() {
    var run = HandMadeRun()
    run.add(0, "prices", .subscription)
    for price in 1...3 {
      let value = run.add(0, "prices", .value("\(price)"))
      if price != 2 { run.add(0, "filter", .value("\(price)"), cause: value, from: [value]) }
    }
    // It follows the second value at another instant.
    run.add(5, "filter", .value("late"), cause: 4)
    #expect(
      places(run) == [
        "prices 0/0", "prices 1/0", "filter 1/0", "prices 2/0", "prices 3/0", "filter 3/0",
        "filter 4/0",
      ])
    let diagram = Diagram(LaneRows(run.part()))
    #expect(diagram.instants.map(\.nanoseconds) == [0, 0, 0, 0, 5_000_000])
    // A stack of two elsewhere is spread as well.
    for value in 4...5 { run.add(9, "prices", .value("\(value)")) }
    #expect(places(run).suffix(2) == ["prices 5/0", "prices 6/0"])
  }

  @Test func aSingleMarkStandsAtTheFirstLevel() {
    var run = HandMadeRun()
    for kind: Timeline.Event.Kind in [.subscription, .value("2")] { run.add(0, "a", kind) }
    run.add(0, "last", .value("2"), cause: 2, from: [2])
    #expect(places(run) == ["a 0/0", "a 0/1", "last 0/0"])
    #expect(ways(run) == ["2→3"])
  }

  @Test func arrowsOfPushesWithColumnsAreStraight() {
    var run = HandMadeRun()
    for (lane, values) in [("a", ["1", "2"]), ("b", ["3", "4"])] {
      for value in values {
        let sent = run.add(0, .operator(lane), .value(value))
        run.add(0, "merge", .value(value), cause: sent, from: [sent])
      }
    }
    #expect(arrows(run) == ["1→2", "3→4", "5→6", "7→8"])
    #expect(ways(run) == ["1→2", "3→4", "5→6", "7→8"])
  }

  @Test func anArrowPassesBesideTheMarksInItsWay() {
    var run = HandMadeRun()
    let value = run.add(0, "load", .value("1"))
    run.add(0, "first", .value("1"), cause: value)
    run.add(0, "second", .value("1"), cause: value)
    run.add(0, "third", .value("1"), cause: value)
    #expect(ways(run) == ["1→2", "1→3 to beside 0", "1→4 to beside 0"])
  }

  @Test func arrowsOfTwoCausesPassBesideEachOther() {
    var run = HandMadeRun()
    let causes = ["a", "b"].map { run.add(0, .operator($0), .value($0)) }
    run.add(0, "c", .value("a"), cause: causes[0])
    run.add(0, "d", .value("b"), cause: causes[1])
    // Without it, nothing would connect the two, so they'd stand apart.
    run.add(9, "b", .request(.unlimited), cause: causes[0])
    #expect(ways(run) == ["1→3 to beside 0", "2→4 to beside 1"])
  }

  @Test func anArrowToALaterInstantLeavesBesideTheMarksBelowItsCause() {
    var run = HandMadeRun()
    let value = run.add(0, "typed", .value("s"))
    run.add(0, "typed", .cancelled)
    run.add(300, "debounce", .value("s"), cause: value)
    #expect(ways(run) == ["1→3 from beside 0"])
  }

  @Test func aValueWaitsInTheRowOfItsOperatorIfNothingElseHappensThere() {
    var run = HandMadeRun()
    let values = (0..<2).map { run.add($0, "in", .value("\($0)")) }
    for (index, value) in values.enumerated() {
      run.add(10 + index, "delay", .value("\(index)"), cause: value, from: [value])
    }
    // The second one waits while the first is delivered, so it takes the way between the rows.
    #expect(ways(run) == ["1→3 waits", "2→4"])
    // A pair is made of two values.
    var pairs = HandMadeRun()
    let left = pairs.add(0, "left", .value("1"))
    let right = pairs.add(5, "right", .value("a"))
    pairs.add(5, "zip", .value("1a"), cause: right, from: [left, right])
    #expect(ways(pairs) == ["1→3 to beside 0", "2→3"])
  }

  @Test func whatOnlyMadeItHappenDoesNotWait() {
    var run = HandMadeRun()
    let value = run.add(0, "typed", .value("s"))
    run.add(300, "debounce", .value("s"), cause: value)
    #expect(ways(run) == ["1→2"])
  }

  @Test(arguments: 0..<300)
  func anyRecordingIsLaidOut(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    for part in random.nextUnruly().parts {
      let diagram = Diagram(LaneRows(part))
      #expect(diagram.marks.map(\.event) == diagram.lanes.events)
      var places: Set<[Int]> = []
      var last: [Int: [Int]] = [:]
      for mark in diagram.marks {
        #expect(diagram.instants[mark.column] == mark.event.time)
        guard mark.stands else { continue }
        let place = [mark.column, mark.level]
        #expect(places.insert([mark.row] + place).inserted, "two marks in one place")
        #expect(
          last[mark.row]?.lexicographicallyPrecedes(place) ?? true, "marks of a row stand in order")
        last[mark.row] = place
      }
    }
  }
}
