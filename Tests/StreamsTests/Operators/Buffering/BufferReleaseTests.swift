import Streams
import TestSupport
import Testing

struct BufferReleaseTests {
  @Test func anOverflowReleasesEverything() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    scene.subscribe(
      source.buffer(
        size: 2, prefetch: .byRequest,
        whenFull: .customError { [log = scene.log] in TokenError(token: log.token("error")) }),
      demand: .none)
    for value in ["1", "2", "3"] { source.send(value) }
    expectEqual(scene.takeNotes(), ["a: cancel", "released: 3, a"])
    scene.subscription?.request(.max(1))
    expectEqual(scene.takeNotes(), ["value", "failure", "released: 1, 2, downstream, error"])
  }

  @Test func eachValueIsReleasedOnceItIsDelivered() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    scene.subscribe(
      source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest), demand: .none)
    for value in ["1", "2", "3"] { source.send(value) }
    var notes: [[String]] = []
    scene.onValue = { [unowned scene] in notes.append(scene.takeNotes()) }
    scene.subscription?.request(.max(3))
    notes.append(scene.takeNotes())
    expectEqual(
      notes, [["value"], ["value", "released: 1"], ["value", "released: 2"], ["released: 3"]])
  }

  @Test func droppedValuesAreReleasedAtOnce() {
    weak var oldest: Token?
    let source = ScriptedPublisher<Token, TestError>()
    let history = source.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
      .history(demand: .none)
    do {
      let token = Token()
      oldest = token
      source.send(token)
    }
    #expect(oldest != nil)
    source.send(Token())
    #expect(oldest == nil)
    history.cancel()
  }

  @Test func aCancellationFromAnotherThreadReleasesEverything() {
    for round in 0..<200 {
      weak var downstream: History<Token, TestError>?
      weak var waiting: Token?
      let source = ScriptedPublisher<Token, TestError>()
      do {
        let history = History<Token, TestError>(demand: .none)
        downstream = history
        source.buffer(size: 50, prefetch: .byRequest, whenFull: .dropOldest).subscribe(history)
        let token = Token()
        waiting = token
        source.send(token)
        onThreads(3) { thread in
          switch thread {
          case 0: for _ in 0..<20 { source.send(Token()) }
          case 1: for _ in 0..<20 { history.request(1) }
          default:
            for _ in 0..<round % 20 { history.request(1) }
            history.cancel()
          }
        }
        history.removeAll()
        history.releaseSubscription()
      }
      #expect(downstream == nil)
      #expect(waiting == nil)
    }
  }
}
