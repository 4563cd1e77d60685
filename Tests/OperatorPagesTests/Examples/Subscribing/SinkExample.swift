import StreamsTesting
import Testing

@Test(.example) private func `A sink receives the values and the end`() throws {
  let world = try World.current

  // region: values
  let numbers = world.cold("-1-2#", digits, failure: Oops())
  numbers
    .lane("numbers")
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("value:", $0) }
    )
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A released subscription is cancelled`() throws {
  let world = try World.current
  let numbers = world.cold("-1-2-3|", digits)

  // region: cancel
  var subscription: AnyCancellable? =
    numbers
    .lane("numbers")
    .sink { print("value:", $0) }
  world.at(.milliseconds(4)) { subscription = nil }
  // endregion
  _ = subscription
}
