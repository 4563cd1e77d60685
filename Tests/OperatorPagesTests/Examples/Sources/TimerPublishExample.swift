import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `A countdown of three seconds`() throws {
  let world = try World.current

  // region: example
  let timer = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
  timer
    .lane("timer")
    .scan(4) { left, _ in left - 1 }
    .prefix(3)
    .lane("prefix")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
