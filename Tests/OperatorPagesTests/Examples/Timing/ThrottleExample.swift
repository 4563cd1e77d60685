import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `The latest position of each 300 ms`() throws {
  let world = try World.current

  // region: latest
  let positions = world.cold("-1-2-34------5|", digits, frame: .milliseconds(100))
  positions
    .lane("positions")
    .throttle(for: .milliseconds(300), scheduler: DispatchQueue.main, latest: true)
    .lane("throttle")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `The first position of each 300 ms`() throws {
  let world = try World.current
  let positions = world.cold("-1-2-34------5|", digits, frame: .milliseconds(100))

  // region: first
  positions
    .lane("positions")
    .throttle(for: .milliseconds(300), scheduler: DispatchQueue.main, latest: false)
    .lane("throttle")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
