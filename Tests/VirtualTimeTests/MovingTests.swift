import Streams
import Testing
import VirtualTime

struct MovingTests {
  let clock = VirtualTimeScheduler()
  let history = History()

  init() {
    for seconds in 1...4 { clock.schedule(after: .seconds(seconds), note("\(seconds)")) }
  }

  func note(_ name: String) -> () -> Void {
    { [clock, history] in history.append("\(clock.now) \(name)") }
  }

  @Test func `advance includes the target, and the clock ends there`() {
    clock.advance(by: 2)
    #expect(history.lines == ["1s 1", "2s 2"])
    #expect(clock.now == .seconds(2))
    clock.advance(to: .seconds(3.5))
    #expect(history.lines == ["1s 1", "2s 2", "3s 3"])
    #expect(clock.now == .seconds(3.5))
  }

  @Test func `advance by zero runs the work that is due now`() {
    clock.schedule {
      note("ready")()
      clock.schedule(note("made ready"))
    }
    clock.advance()
    #expect(history.lines == ["0 ready", "0 made ready"])
    #expect(clock.now == .zero)
  }

  @Test func `run until a moment includes it, but leaves the clock at the last action`() {
    clock.run(until: .seconds(2.5))
    #expect(history.lines == ["1s 1", "2s 2"])
    #expect(clock.now == .seconds(2))
    clock.run(until: .seconds(3))
    #expect(history.lines == ["1s 1", "2s 2", "3s 3"])
    #expect(clock.now == .seconds(3))
  }

  @Test func `run while checks its condition before each action`() {
    clock.run { history.lines.count < 3 }
    #expect(history.lines == ["1s 1", "2s 2", "3s 3"])
    clock.run { true }
    #expect(history.lines == ["1s 1", "2s 2", "3s 3", "4s 4"])
  }

  @Test func `run ends when no foreground work is left`() {
    let ticks = clock.schedule(
      after: .milliseconds(1_500), interval: 1.5, tolerance: 0,
      options: .init(background: true), note("background"))
    clock.run()
    #expect(
      history.lines == [
        "1s 1", "1500ms background", "2s 2", "3s 3", "3s background", "4s 4",
      ])
    clock.run()
    #expect(clock.now == .seconds(4))
    clock.advance(by: 0.5)
    #expect(history.lines.last == "4500ms background")
    ticks.cancel()
    clock.run()
    #expect(clock.pendingWork == [])
  }

  @Test func `cancelled foreground work does not keep run going`() {
    let background = clock.schedule(
      after: .zero, interval: 1, tolerance: 0, options: .init(background: true)
    ) {}
    let foreground = clock.schedule(after: .seconds(9), interval: 1, note("cancelled"))
    foreground.cancel()
    clock.run()
    withExtendedLifetime(background) {}
    #expect(clock.now == .seconds(4))
    #expect(history.lines == ["1s 1", "2s 2", "3s 3", "4s 4"])
  }

  @Test func `a step runs one action and returns its trace entry`() {
    clock.schedule(after: .seconds(1), tolerance: 0, options: .init(label: "labelled")) {}
    #expect(clock.step()?.description == "1s.1 #1")
    #expect(clock.step()?.description == "1s.2 #5 labelled")
    #expect(history.lines == ["1s 1"])
    #expect(clock.now == .seconds(1))
    while clock.step() != nil {}
    #expect(history.lines == ["1s 1", "2s 2", "3s 3", "4s 4"])
    #expect(clock.now == .seconds(4))
  }

  @Test func `the clock starts at the moment it is given`() {
    let clock = VirtualTimeScheduler(now: .seconds(7))
    #expect(clock.now == .seconds(7))
    clock.advance(by: 1)
    #expect(clock.now == .seconds(8))
  }
}
