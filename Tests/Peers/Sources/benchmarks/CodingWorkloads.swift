import StreamsFoundation

/// Decoding, compared with calling the decoder.
enum CodingWorkloads {
  private struct User: Decodable {
    let name: String
    let age: Int
    let languages: [String]
  }

  private static let json = Data(
    #"{"name": "Ada Lovelace", "age": 36, "languages": ["English", "French", "Italian"]}"#.utf8)

  static var all: [Workload] {
    let count = 2_000
    let add = Closures.add()
    let decoder = JSONDecoder()
    return [
      Workload(
        name: "sequence, decode, sink", values: count, target: 1.1,
        loop: {
          for _ in 0..<count {
            if let user = try? decoder.decode(User.self, from: json) {
              add(user.age &+ user.name.count &+ user.languages.count)
            }
          }
        },
        streams: {
          repeatElement(json, count: count).publisher
            .decode(type: User.self, decoder: decoder)
            .sink(
              receiveCompletion: { _ in },
              receiveValue: { add($0.age &+ $0.name.count &+ $0.languages.count) }
            ).cancel()
        })
    ]
  }
}
