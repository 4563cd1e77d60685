import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `The error becomes one that the view knows`() throws {
  let world = try World.current

  // region: example
  enum FeedError: Error { case offline, broken }

  let feed = world.cold("-a--#", ["a": "news"], failure: URLError(.notConnectedToInternet))
  feed
    .lane("feed")
    .mapError { error -> FeedError in
      error.code == .notConnectedToInternet ? .offline : .broken
    }
    .lane("mapError")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
