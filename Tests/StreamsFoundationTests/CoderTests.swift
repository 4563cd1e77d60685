import StreamsFoundation
import Testing

@Suite struct CoderTests {
  private struct User: Codable, Equatable {
    let name: String
  }

  @Test func jsonCodersAreTopLevelCoders() throws {
    try expectRoundTrip(JSONEncoder(), JSONDecoder())
  }

  @Test func propertyListCodersAreTopLevelCoders() throws {
    try expectRoundTrip(PropertyListEncoder(), PropertyListDecoder())
  }

  private func expectRoundTrip<Encoder: TopLevelEncoder, Decoder: TopLevelDecoder>(
    _ encoder: Encoder, _ decoder: Decoder
  ) throws where Encoder.Output == Data, Decoder.Input == Data {
    let data = try encoder.encode(User(name: "Ada"))
    #expect(try decoder.decode(User.self, from: data) == User(name: "Ada"))
  }
}
