import Testing

@testable import Timeline
@testable import TimelinePictures

struct DiagramTests {
  /// The name of each mark's row and its column, such as `load 1 0`.
  private func places(_ run: HandMadeRun) -> [String] {
    let diagram = Diagram(LaneRows(run.part()))
    return diagram.marks.map { "\(diagram.lanes.rows[$0.row].name) \($0.column)" }
  }

  private func arrows(_ run: HandMadeRun) -> [String] {
    Diagram(LaneRows(run.part())).arrows.map {
      "\($0.cause + 1)→\($0.effect + 1)\($0.hasTimer ? " timer" : "")"
    }
  }

  @Test func oneColumnIsOnePush() {
    var run = HandMadeRun()
    run.pass(0, .value("1"), down: ["a", "b", "c"], cause: nil)
    run.pass(0, .value("2"), down: ["a", "b"], cause: nil)
    run.pass(5, .value("3"), down: ["a", "b"], cause: nil)
    #expect(places(run) == ["a 0", "b 0", "c 0", "a 1", "b 1", "a 2", "b 2"])
    #expect(arrows(run) == ["1→2", "2→3", "4→5", "6→7"])
  }

  @Test func subscriptionsOfTheProgramShareAColumnIfTheirRowsAreFree() {
    var run = HandMadeRun()
    run.subscribe(0, ["a", "b"])
    run.subscribe(0, ["c"])
    run.add(0, "a", .subscription, life: 2)
    run.add(0, "c", .value("x"), life: 1)
    run.add(0, "d", .subscription)
    #expect(
      places(run) == ["a 1 0", "b 0", "b 0", "a 1 0", "c 0", "c 0", "a 2 0", "c 1", "d 2"])
    #expect(arrows(run) == [])
  }

  @Test func aHopToAnotherQueueStartsAColumn() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"), thread: "loader")
    run.add(0, "b", .value("1"), cause: value, thread: "main")
    #expect(places(run) == ["a 0", "b 1"])
    #expect(arrows(run) == ["1→2"])
  }

  @Test func anEventAfterAForeignOneIsNotInTheMiddleOfItsCause() {
    var run = HandMadeRun()
    let load = run.add(0, "load", .value("1"))
    let first = run.add(0, "first", .value("1"), cause: load)
    let second = run.add(0, "second", .value("1"), cause: load)
    // By its number, this comes after the second one, so it waited for something.
    run.add(0, "user", .value("1"), cause: first)
    run.add(0, "status", .value("1"), cause: second)
    #expect(places(run) == ["load 0", "first 0", "second 1", "user 2", "status 3"])
    #expect(arrows(run) == ["1→2", "1→3", "2→4", "3→5"])
  }

  @Test func aRequestIsMadeInTheMiddleOfItsDemandEvenIfOthersComeBetween() {
    let diagram = Diagram(LaneRows(loadTwiceRun.parts[0]))
    let start = diagram.marks.filter { diagram.instants[diagram.columns[$0.column]] == .zero }
    #expect(
      Set(start.map(\.column)).count == 2,
      "\(start.map { ($0.event.lane.name, $0.event.kind, $0.column) })")
  }

  @Test func anEffectAfterSomeTimeHasATimer() {
    var run = HandMadeRun()
    let value = run.add(0, "typed", .value("a"))
    run.add(300, "debounce", .value("a"), cause: value)
    #expect(arrows(run) == ["1→2 timer"])
  }

  @Test func nothingLiesUnderAnArrow() {
    var run = HandMadeRun()
    let value = run.add(0, "load", .value("1"))
    run.add(0, "first", .value("1"), cause: value)
    // This one would cross the row of the first subscriber, which has a mark in the column.
    run.add(0, "second", .value("1"), cause: value)
    // And this mark would lie under the arrow to the second one.
    run.add(0, "first", .value("2"))
    #expect(places(run) == ["load 0", "first 0", "second 1", "first 2"])
    #expect(arrows(run) == ["1→2", "1→3"])
  }

  @Test func aMarkMovesOutFromUnderAnArrow() {
    var run = HandMadeRun()
    run.add(0, "a", .subscription)
    run.add(0, "b", .subscription)
    run.add(0, "c", .subscription)
    let value = run.add(1, "a", .value("1"))
    run.add(1, "c", .value("1"), cause: value)
    run.add(1, "b", .value("1"), cause: value)
    // By their values, b and c stand in order of first use.
    #expect(places(run).suffix(3) == ["a 1", "c 1", "b 2"])
  }

  @Test func anArrowFromTheLeftDoesNotSeemToStartAtAnotherMark() {
    var run = HandMadeRun()
    let demand = run.add(0, "steps", .subscription)
    let build = run.add(0, "steps", .value("build"), cause: demand)
    run.add(0, "log", .value("build"), cause: build)
    run.add(0, "screen", .value("build"), cause: build)
    // Without this rule, it would stand above the screen's value, and share its arrow.
    let test = run.add(0, "steps", .value("test"), cause: demand)
    run.add(0, "log", .value("test"), cause: test)
    #expect(
      places(run) == ["steps 0", "steps 1", "log 1", "screen 2", "steps 3", "log 3"])
    #expect(arrows(run) == ["2→3", "2→4", "5→6"])
  }

  @Test func anArrowFromTheLeftComesDownPastMarksOfItsRow() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"))
    run.add(0, "a", .value("2"), cause: value)
    run.add(0, "b", .value("1"), cause: value)
    #expect(places(run) == ["a 0", "a 1", "b 2"])
  }

  @Test func anArrowMayComeDownUnderACancellationWhichSendsNothingDown() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"))
    run.add(0, "a", .cancelled, cause: value)
    run.add(0, "b", .failure("bad"), cause: value)
    #expect(places(run) == ["a 0", "a 1", "b 1"])
    var other = HandMadeRun()
    let first = other.add(0, "a", .value("1"))
    other.add(0, "b", .value("1"), cause: first)
    other.add(0, "c", .value("1"), cause: first)
    other.add(0, "a", .cancelled, cause: first)
    #expect(places(other) == ["a 0", "b 0", "c 1", "a 1"])
  }

  @Test func anArrowThatTurnsUpDoesNotSeemToStartAtACancellation() {
    var run = HandMadeRun()
    run.pass(0, .value("0"), down: ["a", "b"], cause: nil)
    let value = run.add(0, "b", .value("1"))
    run.add(0, "b", .finished, cause: value)
    // It can't go to the right along its row, because the finish is in the way.
    run.add(0, "a", .cancelled, cause: value)
    run.add(0, "b", .cancelled, cause: value)
    let diagram = Diagram(LaneRows(run.part()))
    let up = diagram.arrows[1]
    #expect(diagram.marks[up.effect].row < diagram.marks[up.cause].row)
    #expect(!up.leavesSideways)
    let cancelled = diagram.marks[5].column
    #expect(cancelled > diagram.marks[up.effect].column)
    #expect(diagram.marks[3].column < diagram.marks[up.effect].column)
  }

  @Test func anArrowThatTurnsUpComesPastACancellation() {
    var run = HandMadeRun()
    run.pass(0, .value("0"), down: ["a", "b"], cause: nil)
    let value = run.add(0, "b", .value("1"))
    run.add(0, "b", .cancelled, cause: value)
    run.add(0, "a", .cancelled, cause: value)
    #expect(places(run) == ["a 0", "b 0", "b 1", "b 2", "a 3"])
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
    #expect(marks.map(\.anchor) == [nil, 0, nil, 2, nil, nil])
    #expect(marks.map(\.column) == [0, 0, 1, 1, 2, 3])
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
    #expect(places(run) == ["left 0", "right 1", "zip 1"])
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

  @Test func anArrowToAnOlderSpinePassesToTheLeftOfWords() {
    var run = HandMadeRun()
    let left = run.add(0, "left", .value("1"))
    let right = run.add(5, "right", .value("a"))
    let pair = run.add(5, "zip", .value("1a"), cause: right, from: [left, right])
    run.add(5, "next", .value("1a"), cause: pair, from: [pair])
    run.add(7, "right", .finished)
    #expect(places(run) == ["left 0", "right 1", "zip 1", "next 1", "right 2"])
    var other = HandMadeRun()
    let one = other.add(0, "left", .value("1"))
    // A triangle reaches as far to its left.
    let start = other.add(5, "right", .subscription)
    other.add(5, "zip", .value("1"), cause: start, from: [one])
    #expect(places(other) == ["left 0", "right 1", "zip 2"])
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
    #expect(diagram.signs[1] == .response("200, 9 B", isComplete: true))
    #expect(arrows(run) == ["2→5"])
  }

  @Test func printedLinesWithNothingInBetweenShareAColumn() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"))
    for line in ["one", "two"] { run.add(0, .console, .printed(line), cause: value) }
    run.add(0, "a", .value("2"))
    run.add(0, .console, .printed("three"))
    run.add(5, .console, .printed("four"))
    #expect(
      places(run) == ["a 0", "console 0", "console 0", "a 1", "console 2", "console 3"])
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
    #expect(places(run) == ["r 0", "s 1", "r 0", "s 1", "r 0", "s 1"])
    #expect(diagram.signs[0] == .response("200, 9 B", isComplete: true))
    #expect(diagram.signs[1] == .response("200, 9 B", isComplete: true))
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

  @Test(arguments: 0..<100)
  func noEventStandsToTheLeftOfAnEarlierOne(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    // The runs made by hand need only one check.
    let runs = seed > 0 ? [] : [sampleRun, fallbackRun, searchRun, loadTwiceRun]
    for part in (runs + [random.next(), random.nextUnruly()]).flatMap(\.parts) {
      for hides in [false, true] {
        let diagram = Diagram(
          LaneRows(part) { event, _ in hides && event.lane.role == .console })
        let columns = diagram.marks.filter { $0.anchor == nil }.map(\.column)
        #expect(columns == columns.sorted())
      }
    }
  }

  @Test(arguments: 0..<300)
  func anyRecordingIsLaidOut(seed: UInt64) {
    var random = RandomRecording(seed: seed)
    for part in random.nextUnruly().parts {
      let diagram = Diagram(LaneRows(part))
      #expect(diagram.marks.map(\.event) == diagram.lanes.events)
      #expect(diagram.columns == diagram.columns.sorted())
      #expect(Set(diagram.columns) == Set(diagram.instants.indices))
      var places: Set<[Int]> = []
      var lastColumn: [Int: Int] = [:]
      for mark in diagram.marks where !mark.isHidden {
        #expect(diagram.instants[diagram.columns[mark.column]] == mark.event.time)
        guard mark.anchor == nil else { continue }
        #expect(places.insert([mark.row, mark.column]).inserted, "two marks in one place")
        #expect(mark.column > lastColumn[mark.row] ?? -1, "marks of a row stand in order")
        lastColumn[mark.row] = mark.column
      }
      for arrow in diagram.arrows {
        let effect = diagram.marks[arrow.effect]
        let rows = [diagram.marks[arrow.cause].row, effect.row].sorted()
        for row in (rows[0] + 1)..<max(rows[0] + 1, rows[1]) where arrow.spine == 0 {
          #expect(!places.contains([row, effect.column]), "a mark lies under an arrow")
        }
      }
    }
  }
}
