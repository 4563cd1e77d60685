import Foundation
import StreamsTesting
import Testing

private struct User: Decodable {
  var name: String
}

@Test(.example) private func `JSON becomes a user`() throws {
  let world = try World.current
  let url = URL(string: "https://example.com/users/1")!
  world.network.stub(.get, url, responses: .json(#"{ "name": "Ada" }"#, after: .milliseconds(50)))

  // region: decode
  world.session.dataTaskPublisher(for: url)
    .map(\.data)
    .lane("data") { String(decoding: $0, as: UTF8.self) }
    .decode(type: User.self, decoder: JSONDecoder())
    .lane("decode")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print("Hello,", $0.name) })
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `Text that isn't a user ends the stream`() throws {
  let world = try World.current

  // region: failure
  let lines = world.cold("-a-b-c|", ["a": #"{ "name": "Ada" }"#, "b": "{}", "c": "[]"])
  lines
    .lane("lines")
    .map { Data($0.utf8) }
    .decode(type: User.self, decoder: JSONDecoder())
    .lane("decode")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print("Hello,", $0.name) })
    .store(in: &world.cancellables)
  // endregion
}
