import Testing

@testable import Timeline

struct ArrowTracksTests {
  /// The heights of the horizontal pieces of the arrows to these events, from the middle between
  /// the rows.
  private func heights(_ run: HandMadeRun, to effects: [Int], width: Int = 720) -> [Pixels] {
    let layout = Picture(run.recording(), part: 0, width: width).parts[0].layout
    return effects.compactMap { effect in
      layout.arrows(to: effect - 1).first.map { arrow in
        let block = layout.block(ofColumn: layout.diagram.marks[arrow.effect].column)
        return layout.tracks.offset(
          ofArrowFrom: arrow.cause,
          isDown: layout.diagram.marks[arrow.cause].row < layout.diagram.marks[arrow.effect].row,
          inBlock: block)
      }
    }
  }

  /// A run in which each value is delayed.
  private func delayed(_ times: [(sent: Int, delivered: Int)]) -> (HandMadeRun, effects: [Int]) {
    var run = HandMadeRun()
    var causes: [Int: Int] = [:]
    var effects: [Int: Int] = [:]
    let steps = times.indices.flatMap { index in
      [(times[index].sent, index, true), (times[index].delivered, index, false)]
    }
    for (time, index, isSent) in steps.sorted(by: { $0.0 < $1.0 }) {
      if isSent {
        causes[index] = run.add(time, "shown", .value("\(index)"))
      } else {
        effects[index] = run.add(time, "delay", .value("\(index)"), cause: causes[index])
      }
    }
    return (run, times.indices.compactMap { effects[$0] })
  }

  @Test func anArrowAloneGoesThroughTheMiddle() {
    let (run, effects) = delayed([(0, 2), (3, 5)])
    #expect(heights(run, to: effects) == [0, 0])
  }

  @Test func arrowsThatOverlapHaveDifferentHeights() {
    let (run, effects) = delayed([(0, 2), (1, 3), (4, 5)])
    #expect(heights(run, to: effects) == [2, -2, 0])
  }

  @Test func aTrackIsUsedAgainWhenItsArrowHasEnded() {
    let (run, effects) = delayed([(0, 2), (1, 5), (3, 6), (7, 9)])
    #expect(heights(run, to: effects) == [2, -2, 2, 0])
  }

  @Test func arrowsOfOneCauseStayTogether() {
    var run = HandMadeRun()
    let value = run.add(0, "a", .value("1"))
    let first = run.add(3, "b", .value("1"), cause: value)
    let second = run.add(5, "b", .value("1"), cause: value)
    #expect(heights(run, to: [first, second]) == [0, 0])
  }

  @Test func theLongestArrowOfACauseCounts() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    let near = run.add(2, "b", .value("1"), cause: first)
    let second = run.add(3, "a", .value("2"))
    let other = run.add(5, "b", .value("2"), cause: second)
    let far = run.add(6, "b", .value("1"), cause: first)
    #expect(heights(run, to: [near, other, far]) == [2, -2, 2])
  }

  @Test func anArrowThatLeavesSidewaysIsNotInTheWay() {
    var run = HandMadeRun()
    run.pass(0, .value("0"), down: ["a", "b"], cause: nil)
    let first = run.add(1, "b", .value("1"), life: 1)
    let down = run.pass(2, .value("2"), down: ["a", "b"], cause: nil)
    let sideways = run.add(2, "a", .cancelled, cause: down, life: 1)
    let effect = run.add(5, "a", .cancelled, cause: first, life: 1)
    let layout = Picture(run.recording(), part: 0, width: 720).parts[0].layout
    #expect(layout.arrows(to: sideways - 1).first?.leavesSideways == true)
    #expect(heights(run, to: [effect]) == [0])
  }

  @Test func arrowsBetweenOtherRowsDoNotCount() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    run.add(0, "b", .value("1"), cause: first)
    let second = run.add(1, "b", .value("2"))
    let effect = run.add(3, "b", .value("3"), cause: first)
    let other = run.add(4, "c", .value("2"), cause: second)
    #expect(heights(run, to: [effect, other]) == [0, 0])
  }

  @Test func arrowsThatGoUpOverlapToo() {
    var run = HandMadeRun()
    run.pass(0, .value("0"), down: ["a", "b"], cause: nil)
    let first = run.add(1, "b", .value("1"))
    let second = run.add(2, "b", .value("2"))
    let effects = [first, second].map { run.add(2 + $0, "a", .cancelled, cause: $0) }
    #expect(heights(run, to: effects) == [2, -2])
  }

  @Test func arrowsFromAnEarlierBlockOverlapInBothBlocks() {
    let (run, effects) = delayed([(0, 20), (1, 21), (30, 31)])
    #expect(heights(run, to: effects, width: 150) == [2, -2, 0])
    let layout = Picture(run.recording(), part: 0, width: 150).parts[0].layout
    #expect(layout.blocks.count > 1)
    // The causes are the first two events. Their arrows leave the first block.
    #expect(
      [0, 1].map { layout.tracks.offset(ofArrowFrom: $0, isDown: true, inBlock: 0) } == [2, -2])
  }
}
