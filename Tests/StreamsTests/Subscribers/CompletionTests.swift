import Foundation
import Streams
import TestSupport
import Testing

@Suite struct CompletionTests {
  struct Refusal: Error, Hashable, Codable { let reason: String }

  typealias Completion = Subscribers.Completion<Refusal>

  static let forms: [(Completion, String)] = [
    (.finished, #"{"success":true}"#),
    (.failure(Refusal(reason: "no more")), #"{"error":{"reason":"no more"},"success":false}"#),
  ]

  @Test(arguments: forms) func isCodedWithTheKeysSuccessAndError(
    completion: Completion, json: String
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    expectEqual(String(decoding: try encoder.encode(completion), as: UTF8.self), json)
    expectEqual(try JSONDecoder().decode(Completion.self, from: Data(json.utf8)), completion)
    let list = try PropertyListEncoder().encode(completion)
    expectEqual(try PropertyListDecoder().decode(Completion.self, from: list), completion)
  }

  @Test func isCodableWhereItCannotFail() throws {
    let data = try JSONEncoder().encode(Subscribers.Completion<Never>.finished)
    expectEqual(try JSONDecoder().decode(Subscribers.Completion<Never>.self, from: data), .finished)
  }

  @Test(arguments: ["{}", #"{"success":false}"#, #"{"error":{"reason":"no more"}}"#])
  func isNotDecodedFromIncompleteJSON(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Completion.self, from: Data(json.utf8))
    }
  }

  @Test func isEqualIfTheErrorsAre() {
    let all: Set<Completion> = [
      .finished, .finished, .failure(Refusal(reason: "a")), .failure(Refusal(reason: "a")),
      .failure(Refusal(reason: "b")),
    ]
    expectEqual(all.count, 3)
    #expect(Completion.finished != .failure(Refusal(reason: "a")))
  }
}
