import StreamsFoundation

struct NoUser: Error {}

/// The name of a user.
func userName(_ bodies: some Publisher<Data, URLError>) -> some Publisher<String, any Error> {
  bodies
    // Change only this.
    .tryMap { body in
      if body.isEmpty { throw NoUser() }
      return try JSONDecoder().decode(String.self, from: body)
    }
}
