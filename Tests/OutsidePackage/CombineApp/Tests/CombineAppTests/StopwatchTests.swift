import Combine
import StreamsTesting
import Testing

#if swift(>=6)
  import CombineApp
#else
  import CombineApp5
#endif

@MainActor @Test(.world) func countsUntilTheAppLeaves() throws {
  let world = try World.current
  // A centre of its own, because tests run at the same time.
  let center = NotificationCenter()
  let stopwatch = Stopwatch(center: center)
  let seconds = world.record(stopwatch.$seconds, as: "seconds")
  world.at(.milliseconds(2500)) { center.post(name: .appDidLeave, object: nil) }
  world.advance(by: .seconds(10))
  #expect(
    seconds.events == [
      .subscription(at: .zero), .value(0, at: .zero), .value(1, at: .seconds(1)),
      .value(2, at: .seconds(2)),
    ])
}
