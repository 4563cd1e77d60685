// The format is Combine's: a record has the key `recording`, and a recording has the keys `output`
// and `completion`. ``Subscribers/Completion`` has a format of its own.

extension Record {
  private enum CodingKeys: String, CodingKey { case recording }
}

extension Record: Codable
where Output: Decodable, Output: Encodable, Failure: Decodable, Failure: Encodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(recording: try container.decode(Recording.self, forKey: .recording))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(recording, forKey: .recording)
  }
}

extension Record.Recording {
  private enum CodingKeys: String, CodingKey { case output, completion }
}

extension Record.Recording: Codable
where Output: Decodable, Output: Encodable, Failure: Decodable, Failure: Encodable {
  /// Decodes a complete recording.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(
        Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Does what ``encode(to:)`` does. Combine has this method too, so code that calls it compiles.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }
}
