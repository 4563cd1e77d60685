import StreamsFoundation

// region: recipe
/// A value or the end of a stream, as a value.
enum StreamEvent<Value, Failure: Error> {
  case value(Value), finished, failure(Failure)
}

extension StreamEvent: Equatable where Value: Equatable, Failure: Equatable {}

extension Publisher {
  /// Publishes values and the end as values. So the stream itself can't fail.
  func materialize() -> AnyPublisher<StreamEvent<Output, Failure>, Never> {
    map { StreamEvent<Output, Failure>.value($0) }
      .append(.finished)
      .catch { Just(.failure($0)) }
      .eraseToAnyPublisher()
  }

  /// The reverse of `materialize()`: the first event that is an end becomes the end of the stream.
  func dematerialize<Value, Error>() -> AnyPublisher<Value, Error>
  where Output == StreamEvent<Value, Error>, Failure == Never {
    prefix { if case .finished = $0 { false } else { true } }
      .setFailureType(to: Error.self)
      .flatMap(maxPublishers: .max(1)) { event -> Result<Value?, Error>.Publisher in
        switch event {
        case .value(let value): .init(value)
        case .failure(let error): .init(error)
        case .finished: .init(nil)
        }
      }
      .compactMap { $0 }
      .eraseToAnyPublisher()
  }
}
// endregion
