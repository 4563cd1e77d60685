import Foundation
import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `ThrowingStageTests`.
struct DecodeTests {
  struct User: Decodable, Equatable { let name: String }

  @Test func publishesTheDecodedValues() {
    let history = ["Ada", "Grace"].map { Data(#"{"name":"\#($0)"}"#.utf8) }.publisher
      .decode(type: User.self, decoder: JSON()).history()
    expectEqual(
      history.events,
      [.subscription("Decode"), .value(User(name: "Ada")), .value(User(name: "Grace")), .finished])
  }

  @Test func failsWithTheErrorOfTheDecoder() throws {
    let history = [Data("{}".utf8)].publisher.decode(type: User.self, decoder: JSON()).history()
    guard case .failure(DecodingError.keyNotFound(let key, _)) = history.completion else {
      Issue.record("no such error: \(history.events)")
      return
    }
    expectEqual(key.stringValue, "name")
    expectEqual(history.values, [])
  }

  /// A decoder for this test, because `Streams` doesn't conform Foundation's decoders.
  struct JSON: TopLevelDecoder {
    func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable {
      try JSONDecoder().decode(type, from: data)
    }
  }
}
