import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct UndoASubscriptionTests {
  // region: test
  @Test func `The subscription ends with the view`() throws {
    let world = try World.current
    let scores = world.hot("-1-2-3-4-|", digits)
    var view: ScoreView? = ScoreView()
    view?.show(scores.lane("scores"))

    world.advance(by: .milliseconds(4))
    #expect(view?.text == "Score: 2")
    view = nil
    world.run()
    expectSubscriptions(scores, ["^---!"])
  }
  // endregion

  @Test func `A new stream replaces the one before`() throws {
    let world = try World.current
    let first = world.hot("-1-2-3-|", digits)
    let second = world.hot("---9---|", digits)
    let view = ScoreView()
    view.show(first)
    world.advance(by: .milliseconds(2))
    view.show(second)
    world.run()
    expectSubscriptions(first, ["^-!"])
    #expect(view.text == "Score: 9")
  }

  @Test func `The model and its subscription are released`() throws {
    let world = try World.current
    let scores = world.hot("-1-2-3-|", digits)
    weak var released: ScoreModel?
    do {
      let model = ScoreModel(scores)
      released = model
      world.advance(by: .milliseconds(3))
      #expect(model.score == 2)
    }
    #expect(released == nil)
    world.run()
    expectSubscriptions(scores, ["^--!"])
  }
}
