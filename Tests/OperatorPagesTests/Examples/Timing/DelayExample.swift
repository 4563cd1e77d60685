import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `Each banner disappears after two seconds`() throws {
  let world = try World.current

  // region: example
  let shown = world.cold("-s--m|", ["s": "Saved", "m": "Mailed"], frame: .milliseconds(500))
  shown
    .lane("shown")
    .delay(for: .seconds(2), scheduler: DispatchQueue.main)
    .lane("delay")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print("hide", $0) })
    .store(in: &world.cancellables)
  // endregion
}
