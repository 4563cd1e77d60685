import StreamsFoundation

/// An old client. `load` starts at once, and returns something to cancel it with.
protocol Client {
  func load(_ completion: @escaping (Result<String, URLError>) -> Void) -> any Cancellable
}

/// What the client loads.
func publisher(for client: any Client) -> some Publisher<String, URLError> {
  // Change only this.
  var load: (any Cancellable)?
  return Deferred { Future { promise in load = client.load(promise) } }
    .handleEvents(receiveCancel: { load?.cancel() })
    .share()
}
