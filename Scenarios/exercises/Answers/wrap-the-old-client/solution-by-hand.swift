import StreamsFoundation

/// An old client. `load` starts at once, and returns something to cancel it with.
protocol Client {
  func load(_ completion: @escaping (Result<String, URLError>) -> Void) -> any Cancellable
}

/// What the client loads.
func publisher(for client: any Client) -> some Publisher<String, URLError> {
  // Change only this.
  OldLoad(client: client)
}

private struct OldLoad: Publisher {
  typealias Output = String
  typealias Failure = URLError

  let client: any Client

  func receive<S: Subscriber<String, URLError>>(subscriber: S) {
    let load = Load(subscriber: subscriber)
    subscriber.receive(subscription: load)
    load.start(client)
  }

  private final class Load<S: Subscriber<String, URLError>>: Subscription {
    private var subscriber: S?
    private var load: (any Cancellable)?

    init(subscriber: S) { self.subscriber = subscriber }

    func start(_ client: any Client) {
      load = client.load { [self] result in
        guard let subscriber else { return }
        self.subscriber = nil
        switch result {
        case .success(let text):
          _ = subscriber.receive(text)
          subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
      }
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      subscriber = nil
      load?.cancel()
    }
  }
}
