import Foundation
import StreamsTesting
import Testing

@Test(.example) private func `Each draft becomes JSON`() throws {
  let world = try World.current

  // region: example
  struct Draft: Encodable {
    var title: String
  }
  let titles = world.cold("-m-n|", ["m": "Milk", "n": "Milk and eggs"])
  titles
    .lane("titles")
    .map { Draft(title: $0) }
    .encode(encoder: JSONEncoder())
    .map { String(decoding: $0, as: UTF8.self) }
    .lane("encode")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print("save", $0) })
    .store(in: &world.cancellables)
  // endregion
}
