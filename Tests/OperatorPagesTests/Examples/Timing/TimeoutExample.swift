import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `A silent sensor fails after 500 ms`() throws {
  let world = try World.current

  // region: example
  let pulse = world.cold("-7-7-8-------|", digits, failure: Oops(), frame: .milliseconds(100))
  pulse
    .lane("pulse")
    .timeout(.milliseconds(500), scheduler: DispatchQueue.main, customError: { Oops() })
    .lane("timeout")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `Without an error, the stream finishes`() throws {
  let world = try World.current

  // region: finish
  let printers = world.cold("-a-b-------c|", frame: .milliseconds(100))
  printers
    .lane("printers")
    .timeout(.milliseconds(500), scheduler: DispatchQueue.main)
    .collect()
    .lane("collect")
    .sink { print("found:", $0) }
    .store(in: &world.cancellables)
  // endregion
}
