import StreamsFoundation

/// An old client. `load` starts at once, and returns something to cancel it with.
protocol Client {
  func load(_ completion: @escaping (Result<String, URLError>) -> Void) -> any Cancellable
}

/// What the client loads.
func publisher(for client: any Client) -> some Publisher<String, URLError> {
  // Change only this.
  Deferred { () -> AnyPublisher<String, URLError> in
    let subject = PassthroughSubject<String, URLError>()
    var load: (any Cancellable)?
    return
      subject
      .handleEvents(
        receiveSubscription: { _ in
          load = client.load { result in
            switch result {
            case .success(let text):
              subject.send(text)
              subject.send(completion: .finished)
            case .failure(let error): subject.send(completion: .failure(error))
            }
          }
        },
        receiveCancel: { load?.cancel() }
      )
      .eraseToAnyPublisher()
  }
}
