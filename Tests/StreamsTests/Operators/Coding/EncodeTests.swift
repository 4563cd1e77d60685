import Foundation
import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `ThrowingStageTests`.
struct EncodeTests {
  struct User: Encodable { let name: String }

  @Test func publishesTheEncodedValues() {
    let history = [User(name: "Ada"), User(name: "Grace")].publisher.encode(encoder: JSON())
      .history()
    expectEqual(history.text, #"Encode: {"name":"Ada"} {"name":"Grace"} |"#)
  }

  @Test func failsWithTheErrorOfTheEncoder() {
    let history = [1, Double.nan].publisher.encode(encoder: JSON()).history()
    expectEqual(history.values, ["1"])
    guard case .failure(EncodingError.invalidValue) = history.completion else {
      Issue.record("no such error: \(history.events)")
      return
    }
  }

  /// An encoder for this test, because `Streams` doesn't conform Foundation's encoders.
  struct JSON: TopLevelEncoder {
    func encode<T>(_ value: T) throws -> String where T: Encodable {
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
  }
}
