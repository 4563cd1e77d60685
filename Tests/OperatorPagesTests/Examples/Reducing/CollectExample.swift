import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `All photos arrive as one array`() throws {
  let world = try World.current

  // region: all
  let photos = world.cold("-a--b--c-|")
  photos
    .lane("photos")
    .collect()
    .lane("collect")
    .sink { print($0.count, "photos") }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `Two photos make a row`() throws {
  let world = try World.current

  // region: count
  let photos = world.cold("-a--b--c--d--e-|")
  photos
    .lane("photos")
    .collect(2)
    .lane("collect")
    .sink { print("row of", $0.count) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `Each second makes one report`() throws {
  let world = try World.current

  // region: time
  let taps = world.cold("-a-bc--------------d----e|", frame: .milliseconds(100))
  taps
    .lane("taps")
    .collect(.byTime(DispatchQueue.main, .seconds(1)))
    .lane("collect")
    .sink { print("report", $0.count) }
    .store(in: &world.cancellables)
  // endregion
}
