import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `A failure becomes a quiet end`() throws {
  let world = try World.current

  // region: example
  let suggestions = world.cold("-a-#", ["a": "swift"], failure: Oops())
  suggestions
    .lane("suggestions")
    .catch { _ in Empty().lane("Empty") }
    .lane("catch")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A server that never answers`() throws {
  let world = try World.current

  // region: never
  let silence = Empty<String, Oops>(completeImmediately: false)
  silence
    .lane("silence")
    .timeout(.seconds(5), scheduler: DispatchQueue.main) { Oops() }
    .lane("timeout")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
