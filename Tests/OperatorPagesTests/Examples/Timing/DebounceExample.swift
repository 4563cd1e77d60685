import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `A pause lets the latest text through`() throws {
  let world = try World.current

  // region: example
  let typed = world.cold("-s-w---i-|", frame: .milliseconds(100))
  typed.lane("typed")
    .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main).lane("debounce")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
