import ScenarioKit
import Testing

@testable import from_handler_to_publisher

/// Decoding a user from the three optionals that a completion handler receives.
@Suite struct FromHandlerToPublisherTests {
  private let ada = Data(#"{"name": "Ada Lovelace", "userID": "ada"}"#.utf8)

  private func response(_ status: Int) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "https://api.example.com/users/ada"))
    return try #require(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
  }

  @Test(arguments: [200, 201, 299]) func decodesAUserFromASuccessfulResponse(status: Int) throws {
    #expect(
      try decodeUser(data: ada, response: response(status), error: nil).name == "Ada Lovelace")
  }

  @Test func throwsTheErrorBeforeItLooksAtAnythingElse() throws {
    let response = try response(200)
    #expect(throws: URLError(.networkConnectionLost)) {
      try decodeUser(data: ada, response: response, error: URLError(.networkConnectionLost))
    }
    #expect(throws: URLError(.networkConnectionLost)) {
      try decodeUser(data: nil, response: nil, error: URLError(.networkConnectionLost))
    }
  }

  @Test(arguments: [199, 300, 404, 500]) func rejectsTheStatusBeforeItDecodesTheData(status: Int)
    throws
  {
    let response = try response(status)
    #expect(throws: URLError(.badServerResponse)) {
      try decodeUser(data: ada, response: response, error: nil)
    }
  }

  @Test func aMissingResponseIsABadServerResponse() {
    #expect(throws: URLError(.badServerResponse)) {
      try decodeUser(data: ada, response: nil, error: nil)
    }
  }

  @Test func missingDataIsADecodingError() throws {
    let response = try response(200)
    #expect(throws: DecodingError.self) {
      try decodeUser(data: nil, response: response, error: nil)
    }
  }
}
