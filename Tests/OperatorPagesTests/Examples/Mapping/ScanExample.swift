import StreamsTesting
import Testing

@Test(.example) private func `Each payment changes the balance`() throws {
  let world = try World.current

  // region: scan
  let payments = world.cold("-a-b-c|", ["a": 50, "b": -20, "c": 5])
  payments
    .lane("payments")
    .scan(100) { balance, payment in balance + payment }
    .lane("scan")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A payment without cover ends the stream`() throws {
  let world = try World.current

  // region: tryScan
  let payments = world.cold("-a-b-c|", ["a": -80, "b": -30, "c": 5])
  payments
    .lane("payments")
    .tryScan(100) { balance, payment in
      if balance + payment < 0 { throw Oops() }
      return balance + payment
    }
    .lane("tryScan")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
