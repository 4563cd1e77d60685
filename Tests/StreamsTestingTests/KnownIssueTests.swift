import StreamsTesting
import Testing

/// Pipelines inside closures that another library calls, with comments of more than 15 bytes.
@Suite struct KnownIssueTests {
  private struct Unrelated: Error {}

  @Test(arguments: ["fifteen bytes..", "longer than fifteen bytes"])
  func aWorldInAKnownIssue(comment: String) {
    withKnownIssue("\(comment)") {
      withWorld { world in
        Just(1).sink { _ in }.store(in: &world.cancellables)
        Issue.record("known")
      }
    }
  }

  @Test(.world) func aSubscriptionInAKnownIssue() throws {
    let world = try World.current
    withKnownIssue("longer than fifteen bytes") {
      Just(1).sink { _ in }.store(in: &world.cancellables)
      Issue.record("known")
    }
  }

  @Test(.world) func aSubscriptionInAConfirmation() async throws {
    let world = try World.current
    await confirmation("longer than fifteen bytes") { confirm in
      Just(1).sink { _ in confirm() }.store(in: &world.cancellables)
      world.run()
    }
  }

  @Test(.world) func workInAKnownIssue() throws {
    let world = try World.current
    withKnownIssue("longer than fifteen bytes") {
      DispatchQueue.main.schedule {}
      Just(1).delay(for: .seconds(1), scheduler: DispatchQueue.main).sink { _ in }
        .store(in: &world.cancellables)
      world.run()
      Issue.record("known")
    }
  }

  @Test(.world) func aSubscriptionInAnExpectationOfAnError() throws {
    let world = try World.current
    #expect(throws: Unrelated.self, "longer than fifteen bytes") {
      Just(1).sink { _ in }.store(in: &world.cancellables)
      throw Unrelated()
    }
  }

  @Test(.world, .disabled(if: false, "longer than fifteen bytes"))
  func aSubscriptionInATestWithAComment() throws {
    let world = try World.current
    Just(1).sink { _ in }.store(in: &world.cancellables)
  }

  /// A value from outside takes a place, too.
  @Test func aStrayValueInAKnownIssue() async {
    await withKnownIssue("longer than fifteen bytes") {
      await withWorld { world in
        let values = PassthroughSubject<Int, Never>()
        let recorder = world.record(values, as: "values")
        await Task { values.send(1) }.value
        #expect(recorder.values == [1])
      }
    }
  }
}
