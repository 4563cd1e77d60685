import Streams
import TestSupport
import Testing

/// Tests what happens while `zip` or `combineLatest` is delivering on another thread. A call that
/// waited for the delivery would block both threads.
struct CombinedThreadTests {
  typealias Operator = UpstreamOutsideGateTests.Operator

  private let log = CallLog()
  private let a: ScriptedPublisher<Int, TestError>
  private let b: ScriptedPublisher<Int, TestError>
  private let history: History<[Int], TestError>

  init() {
    a = ScriptedPublisher(name: "a", log: log)
    b = ScriptedPublisher(name: "b", log: log)
    history = History(demand: .max(1), log: log)
  }

  @Test(arguments: Operator.allCases)
  func aRequestDuringADeliveryOnAnotherThreadIsPassedOnAtOnce(name: Operator) {
    let lines = deliver(name) { $0.request(2) }
    expectEqual(
      lines, ["downstream: value [1, 2]", "a: request max(2)", "b: request max(2)", "still inside"])
  }

  @Test(arguments: Operator.allCases)
  func aCancellationDuringADeliveryOnAnotherThreadDoesNotWait(name: Operator) {
    let lines = deliver(name) { $0.cancel() }
    expectEqual(lines, ["downstream: value [1, 2]", "a: cancel", "b: cancel", "still inside"])
  }

  /// - Returns: What happens in a delivery in which another thread acts.
  private func deliver(
    _ name: Operator, _ act: @escaping @Sendable (History<[Int], TestError>) -> Void
  ) -> [String] {
    name.combine(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).subscribe(history)
    let receiver = history
    history.onValue = { [log] _ in
      onAnotherThread { act(receiver) }
      log.append("still inside")
      return .none
    }
    a.send(1)
    log.removeAll()
    expectEqual(b.send(2), .none)
    history.onValue = nil
    return log.lines
  }

  // MARK: Releases

  @Test(arguments: [false, true], [false, true])
  func downstreamThatCancelsInADeliveryIsReleasedOutsideTheGate(zips: Bool, isElsewhere: Bool) {
    let scene = ReleaseScene()
    let (a, b) = (scene.source("a"), scene.source("b"))
    if zips { scene.subscribe(a.zip(b)) } else { scene.subscribe(a.combineLatest(b)) }
    nonisolated(unsafe) let shared = (scene: scene, a: a)
    scene.onValue = {
      if isElsewhere {
        onAnotherThread { shared.scene.subscription?.cancel() }
      } else {
        shared.scene.subscription?.cancel()
      }
    }
    scene.onRelease = { onAnotherThread { shared.a.send("late") } }
    a.send("1")
    b.send("2")
    expectEqual(
      scene.takeNotes(),
      ["value", "a: cancel", "b: cancel", "released: 1, 2, a, b, downstream, late"])
    scene.onValue = nil
    scene.onRelease = nil
  }

  @Test func aReplacedValueIsReleasedOutsideTheLockAndTheGate() {
    let tokens = ScriptedPublisher<Token, TestError>()
    let other = b
    let history = tokens.combineLatest(b) { $1 }.history()
    tokens.send(Token { onAnotherThread { other.send(1) } })
    expectEqual(history.values, [])
    tokens.send(Token())
    expectEqual(history.values, [1])
  }
}
