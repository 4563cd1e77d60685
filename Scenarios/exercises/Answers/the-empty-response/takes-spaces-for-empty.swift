import StreamsFoundation

struct NoUser: Error {}

/// The name of a user.
func userName(_ bodies: some Publisher<Data, URLError>) -> some Publisher<String, any Error> {
  bodies
    // Change only this.
    .tryMap { body in
      let text = String(decoding: body, as: UTF8.self)
      if text.allSatisfy(\.isWhitespace) { throw NoUser() }
      return body
    }
    .decode(type: String.self, decoder: JSONDecoder())
}
