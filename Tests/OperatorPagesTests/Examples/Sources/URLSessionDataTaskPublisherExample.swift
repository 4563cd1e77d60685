import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `A profile is loaded`() throws {
  let world = try World.current
  let session = world.session
  let url = URL(string: "https://example.com/ann")!
  world.network.stub(
    .get, url.absoluteString, responses: .text("Ann Lee", after: .milliseconds(100)))

  // region: example
  session.dataTaskPublisher(for: url)
    .lane("data task")
    .map { String(decoding: $0.data, as: UTF8.self) }
    .lane("map")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `An error status is a value`() throws {
  let world = try World.current
  let session = world.session
  let missing = URL(string: "https://example.com/missing")!
  let lost = URL(string: "https://example.com/lost")!
  world.network.stub(
    .get, missing.absoluteString,
    responses: .text("Not found", status: 404, after: .milliseconds(100)))
  world.network.stub(
    .get, lost.absoluteString,
    responses: .failure(.networkConnectionLost, after: .milliseconds(200)))

  // region: statuses
  for url in [missing, lost] {
    session.dataTaskPublisher(for: url)
      .lane(url.lastPathComponent)
      .map { ($0.response as! HTTPURLResponse).statusCode }
      .sink(receiveCompletion: { print($0) }, receiveValue: { print("status", $0) })
      .store(in: &world.cancellables)
  }
  // endregion
}
