import StreamsTesting
import Testing

@testable import App

@Suite struct SchedulerTests {
  // region: clock
  @Test func savesHalfASecondAfterTheLastChange() {
    let clock = VirtualTimeScheduler()
    let text = PassthroughSubject<String, Never>()
    let saver = AutoSaver(text, scheduler: clock.scheduler(as: DispatchQueue.self))
    text.send("draft")
    clock.advance(by: .milliseconds(499))
    #expect(saver.saved == [])
    clock.advance(by: .milliseconds(1))
    #expect(saver.saved == ["draft"])
  }
  // endregion: clock

  // region: immediate
  @Test func savesEachChangeIfTimeIsNoMatter() {
    let text = PassthroughSubject<String, Never>()
    let saver = AutoSaver(text, scheduler: .immediate)
    text.send("draft")
    #expect(saver.saved == ["draft"])
  }
  // endregion: immediate

  // region: unimplemented
  @Test func savesNothingWithoutAChange() {
    let text = PassthroughSubject<String, Never>()
    let saver = AutoSaver(text, scheduler: .unimplemented())
    #expect(saver.saved == [])
  }
  // endregion: unimplemented
}
