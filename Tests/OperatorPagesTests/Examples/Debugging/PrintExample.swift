import StreamsTesting
import Testing

@Test(.example) private func `Each event prints a line`() throws {
  let world = try World.current

  // region: example
  let numbers = world.cold("-1-2-3-4|", digits)
  numbers
    .lane("numbers")
    .print("numbers", to: world.console)
    .prefix(2)
    .lane("prefix")
    .sink { _ in }
    .store(in: &world.cancellables)
  // endregion
}
