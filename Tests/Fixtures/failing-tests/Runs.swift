import Foundation
import StreamsTesting
import Testing
import XCTest

/// Tests whose runs can be looked at after they have failed.
@Suite(.world, .serialized) struct Runs {
  private struct Broken: Error {}

  private let world: World

  init() throws {
    world = try World.current
  }

  private func load(_ path: String = "/a") {
    world.session.dataTask(with: URL(string: "https://example.com\(path)")!).resume()
    world.run()
  }

  private func stub() {
    world.network.stub(
      .get, "https://example.com/a", responses: .text("A", after: .milliseconds(5)).repeating)
  }

  @Test func anExpectation() {
    stub()
    load()
    #expect(Bool(false))
    #expect(Bool(false))
    load()
  }

  @Test func aProblemOfTheWorld() { load("/b") }

  @Test func anError() throws {
    stub()
    load()
    throw Broken()
  }

  @Test(arguments: [1, 2]) func `An argument`(number: Int) {
    stub()
    load()
    #expect(number == 0)
  }

  @Test func nothingToSee() {
    #expect(Bool(false))
  }

  @Test func aPass() {
    stub()
    load()
  }
}

final class RunsInXCTest: XCTestCase {
  static var allTests: [(String, (RunsInXCTest) -> () throws -> Void)] {
    [("testLoads", testLoads)]
  }

  func testLoads() {
    withWorld { world in
      world.session.dataTask(with: URL(string: "https://example.com/b")!).resume()
      world.run()
    }
  }
}

final class RunsInWorldTestCase: WorldTestCase {
  static var allTests: [(String, (RunsInWorldTestCase) -> () throws -> Void)] {
    [("testAsserts", testAsserts), ("testLoads", testLoads)]
  }

  func testAsserts() throws {
    let world = try World.current
    _ = world.record(Just(1), as: "one")
    _ = world.transcript
    XCTFail("no")
  }

  func testLoads() throws {
    let world = try World.current
    world.session.dataTask(with: URL(string: "https://example.com/b")!).resume()
    world.run()
  }
}
