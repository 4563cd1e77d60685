import StreamsFoundation

// region: recipe
/// Makes a publisher of a function with a completion handler. The function is called for each
/// subscriber, when it subscribes.
///
/// - Parameter start: Starts the work, and returns a closure that stops it. The handler may be
///   called on any thread. Only its first call counts.
func publisher<Value, Failure>(
  startingWith start:
    @escaping (_ handler: @escaping @Sendable (Result<Value, Failure>) -> Void) -> () -> Void
) -> AnyPublisher<Value, Failure> {
  Deferred {
    var stop = {}
    let result = Future<Value, Failure> { promise in stop = start(promise) }
    return result.handleEvents(receiveCancel: stop)
  }
  .eraseToAnyPublisher()
}
// endregion
