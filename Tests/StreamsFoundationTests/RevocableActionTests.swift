import Testing

@testable import StreamsFoundation

@Suite struct RevocableActionTests {
  /// The depth of the stack inside the action must not grow with the number of runs: a timer may
  /// tick for weeks.
  @Test func eachRunIsAsDeepAsTheFirst() {
    var places: [UInt] = []
    let action = RevocableAction {
      var here = 0
      withUnsafePointer(to: &here) { places.append(UInt(bitPattern: $0)) }
    }
    for _ in 1...1_000 { action.run() }
    #expect(places.count == 1_000)
    #expect(Set(places).count == 1)
  }

  @Test func aRevokedActionDoesNotRun() {
    var count = 0
    let action = RevocableAction { count += 1 }
    action.run()
    action.revoke()
    action.run()
    #expect(count == 1)
  }
}
