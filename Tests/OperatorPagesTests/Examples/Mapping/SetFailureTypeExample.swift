import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `A setting fits next to a download`() throws {
  let world = try World.current

  // region: example
  let theme = world.hot("-l----d-|", ["l": "light", "d": "dark"])
  let photo = world.hot("---p----------#", ["p": "me"], failure: URLError(.timedOut))
  theme
    .lane("theme")
    .setFailureType(to: URLError.self)
    .combineLatest(photo.lane("photo")) { theme, photo in "\(photo) \(theme)" }
    .lane("combineLatest")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
