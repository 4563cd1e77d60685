import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `The sensor runs while a view listens`() throws {
  let world = try World.current
  let sensor = world.hot("-1-2-3-4-5|", digits, frame: .milliseconds(100)).lane("sensor")

  // region: example
  let readings =
    sensor
    .makeConnectable()
    .autoconnect()

  let list =
    readings
    .lane("list")
    .sink { print("list:", $0) }
  world.at(.milliseconds(400)) {
    let detail =
      readings
      .lane("detail")
      .sink { print("detail:", $0) }
    world.at(.milliseconds(800)) { detail.cancel() }
  }
  world.at(.milliseconds(600)) { list.cancel() }
  // endregion
}

@Test(.example) private func `A timer starts with its subscriber`() throws {
  let world = try World.current

  // region: timer
  Timer.publish(every: 1, on: .main, in: .common)
    .autoconnect()
    .map { _ in "tick" }
    .lane("timer")
    .prefix(2)
    .lane("prefix")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
