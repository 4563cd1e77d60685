import ScenarioKit
import Testing

@testable import from_handler_to_publisher

/// How the older client's callers read its three optionals.
@Suite struct FromHandlerToPublisherTests {
  private let ada = Data(#"{"name": "Ada Lovelace", "userID": "ada"}"#.utf8)

  private func response(_ status: Int) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "https://api.example.com/users/ada"))
    return try #require(
      HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
  }

  @Test(arguments: [200, 201, 299]) func aUserIsDecoded(status: Int) throws {
    #expect(try user(ada, response(status), nil).name == "Ada Lovelace")
  }

  @Test func anErrorWinsOverAResponseAndData() throws {
    let response = try response(200)
    #expect(throws: URLError(.networkConnectionLost)) {
      try user(ada, response, URLError(.networkConnectionLost))
    }
    #expect(throws: URLError(.networkConnectionLost)) {
      try user(nil, nil, URLError(.networkConnectionLost))
    }
  }

  @Test(arguments: [199, 300, 404, 500]) func aWrongStatusWinsOverTheData(status: Int) throws {
    let response = try response(status)
    #expect(throws: URLError(.badServerResponse)) { try user(ada, response, nil) }
  }

  @Test func aMissingResponseIsABadServerResponse() {
    #expect(throws: URLError(.badServerResponse)) { try user(ada, nil, nil) }
  }

  @Test func missingDataIsADecodingError() throws {
    let response = try response(200)
    #expect(throws: DecodingError.self) { try user(nil, response, nil) }
  }
}
