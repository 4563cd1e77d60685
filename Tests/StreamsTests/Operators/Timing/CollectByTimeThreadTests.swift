import Dispatch
import Streams
import TestSupport
import Testing

struct CollectByTimeThreadTests {
  @Test(arguments: [nil, 3] as [Int?])
  func valuesAndTimersMayMeetOnSeveralThreads(count: Int?) {
    for _ in 0..<20 {
      let queue = ConcurrentQueue()
      let source = ScriptedPublisher<Int, TestError>()
      let room = Room()
      let ended = DispatchSemaphore(value: 0)
      let history = History<[Int], TestError>(demand: .max(1))
      history.onValue = { _ in
        room.visit()
        return .max(1)
      }
      history.onCompletion = { _ in ended.signal() }
      source.collect(CollectByTimeTests.strategy(queue, .microseconds(20), count)).subscribe(
        history)
      onThreads(2) { thread in
        if thread == 0 {
          for value in 0..<1000 { source.send(value) }
          source.finish()
        } else {
          for _ in 0..<100 { history.request(1) }
        }
      }
      ended.wait()
      expectEqual(history.values.flatMap { $0 }, Array(0..<1000))
      #expect(history.values.allSatisfy { !$0.isEmpty && $0.count <= count ?? .max })
      expectEqual(history.events.last, .finished)
      expectEqual(room.encounters, 0)
    }
  }
}
