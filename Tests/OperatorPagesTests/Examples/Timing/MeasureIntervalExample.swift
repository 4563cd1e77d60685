import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `The time between two taps`() throws {
  let world = try World.current

  // region: example
  let taps = world.cold("--t----t-----t|", frame: .milliseconds(100))
  taps
    .lane("taps")
    .measureInterval(using: DispatchQueue.main)
    .lane("measureInterval") { "\($0.magnitude / 1_000_000) ms" }
    .sink { print(60_000_000_000 / $0.magnitude, "per minute") }
    .store(in: &world.cancellables)
  // endregion
}
