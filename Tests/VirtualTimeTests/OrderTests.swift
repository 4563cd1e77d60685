import Streams
import Testing
import VirtualTime

struct OrderTests {
  @Test func `runs in order of due time, first in first out at one instant`() {
    let clock = VirtualTimeScheduler()
    var history: [String] = []
    func note(_ name: String) -> () -> Void { { history.append("\(clock.now) \(name)") } }
    clock.schedule(after: .seconds(2), note("a"))
    clock.schedule(after: .seconds(1), note("b"))
    clock.schedule(after: .seconds(2), note("c"))
    clock.schedule(note("d"))
    clock.schedule(after: .seconds(1), note("e"))
    #expect(history == [])
    clock.run()
    #expect(history == ["0 d", "1s b", "1s e", "2s a", "2s c"])
  }
}
