import Streams
import TestSupport
import Testing

@Suite struct EmptyTests {
  typealias IntEmpty = Empty<Int, TestError>

  @Test func endsAtOnceWithoutDemand() {
    let history = IntEmpty().history(demand: .none)
    expectEqual(history.events, [.subscription("Empty"), .finished])
    history.request(1)
    history.cancel()
    expectEqual(history.events, [.subscription("Empty"), .finished])
  }

  @Test func neverEndsWithoutImmediateCompletion() {
    let history = IntEmpty(completeImmediately: false).history()
    history.request(.unlimited)
    history.cancel()
    expectEqual(history.events, [.subscription("Empty")])
  }

  @Test func keepsNoSubscriber() {
    weak var released: History<Int, TestError>?
    do {
      let history = IntEmpty(completeImmediately: false).history()
      released = history
      history.releaseSubscription()
    }
    #expect(released == nil)
  }

  @Test func canBeMadeFromTypes() {
    let empty = Empty(
      completeImmediately: false, outputType: Int.self, failureType: TestError.self)
    expectEqual(empty, IntEmpty(completeImmediately: false))
    #expect(empty != IntEmpty())
    expectEqual(Empty(outputType: Int.self, failureType: TestError.self), IntEmpty())
  }
}
