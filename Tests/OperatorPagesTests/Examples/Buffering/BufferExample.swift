import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `Two readings wait for the upload`() throws {
  let world = try World.current

  // region: example
  let readings = world.hot("-1-2-3-4----------|", digits)
  readings
    .lane("readings")
    .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    .lane("buffer")
    .flatMap(maxPublishers: .max(1)) { reading in
      Just(reading).delay(for: .milliseconds(7), scheduler: DispatchQueue.main)
    }
    .lane("uploaded")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A full buffer can be an error`() throws {
  let world = try World.current

  // region: customError
  let readings = world.hot("-1-2-3-4-|", digits, failure: Oops())
  readings
    .lane("readings")
    .buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Oops() })
    .lane("buffer")
    .flatMap(maxPublishers: .max(1)) { reading in
      Just(reading).delay(for: .milliseconds(7), scheduler: DispatchQueue.main)
    }
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
