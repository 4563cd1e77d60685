import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct WriteAPublisherTests {
  // region: test
  @Test func `Lines come as they are requested`() throws {
    let world = try World.current
    let lines = Lines(text: "one\ntwo\nthree")
      .lane("lines")
      .checkingContract(as: "lines", on: world.clock)
    let result = world.record(lines, as: "reader", demand: .max(1))
    world.at(.milliseconds(10)) { result.request(.max(2)) }
    world.run()

    #expect(
      result.events == [
        .subscription(at: .zero), .value("one", at: .zero), .value("two", at: .milliseconds(10)),
        .value("three", at: .milliseconds(10)), .finished(at: .milliseconds(10)),
      ])
  }
  // endregion

  @Test func `An empty text has one empty line`() throws {
    let world = try World.current
    let result = world.record(Lines(text: "").checkingContract(on: world.clock))
    #expect(
      result.events == [.subscription(at: .zero), .value("", at: .zero), .finished(at: .zero)])
  }

  @Test func `Lines may end as on Windows`() throws {
    let world = try World.current
    #expect(
      world.record(Lines(text: "one\r\ntwo").checkingContract(on: world.clock)).values == [
        "one", "two",
      ])
  }

  @Test func `A subscriber that asks for more within a value gets it after that value`() throws {
    let world = try World.current
    let lines = Lines(text: "one\ntwo\nthree").checkingContract(on: world.clock)
    let result = world.record(lines, demand: .max(1), demandPerValue: .max(1))
    #expect(result.values == ["one", "two", "three"])
  }

  @Test func `After a cancellation nothing comes`() throws {
    let world = try World.current
    let lines = Lines(text: "one\ntwo\nthree").checkingContract(on: world.clock)
    let result = world.record(lines.prefix(while: { $0 != "two" }))
    #expect(
      result.events == [.subscription(at: .zero), .value("one", at: .zero), .finished(at: .zero)])
  }
}
