import StreamsFoundation

// region: recipe
/// A response with another status than 2xx.
struct StatusError: Error, Equatable {
  let status: Int
  /// How long the server wants you to wait, in seconds; `nil` if it doesn't say.
  var retryAfter: Double?
}

extension Publisher where Output == URLSession.DataTaskPublisher.Output {
  /// Passes on the body of a response. Fails with `StatusError` if its status isn't 2xx.
  func bodyIfSuccessful() -> AnyPublisher<Data, any Error> {
    tryMap { body, response in
      if let response = response as? HTTPURLResponse, !(200..<300).contains(response.statusCode) {
        let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { UInt($0) }
        throw StatusError(status: response.statusCode, retryAfter: seconds.map(Double.init))
      }
      return body
    }
    .eraseToAnyPublisher()
  }
}

extension Publisher {
  /// Tries again after failures that may pass by themselves, and passes on all others at once.
  ///
  /// - Parameters:
  ///   - attempts: How often it tries again, at most.
  ///   - delay: The wait before each new attempt, in seconds, unless the server asks for another.
  ///   - longest: The longest wait that a server may ask for, in seconds. Beyond, it gives up.
  ///   - scheduler: Where it waits, and where the new attempts are made.
  func retryWhatCanRecover<Context: Scheduler>(
    attempts: Int, after delay: Double, longest: Double = 60, scheduler: Context
  ) -> AnyPublisher<Output, any Error> {
    tryCatch { error in
      let asked = (error as? StatusError)?.retryAfter
      guard attempts > 0, canRecover(from: error), asked ?? 0 <= longest else { throw error }
      return Just(())
        .setFailureType(to: (any Error).self)
        .delay(for: .seconds(asked ?? delay), scheduler: scheduler)
        .flatMap {
          retryWhatCanRecover(
            attempts: attempts - 1, after: delay, longest: longest, scheduler: scheduler)
        }
    }
    .eraseToAnyPublisher()
  }
}

/// Whether the same request may succeed later.
private func canRecover(from error: any Error) -> Bool {
  switch error {
  case let error as StatusError: [408, 429, 502, 503, 504].contains(error.status)
  case let error as URLError:
    [.networkConnectionLost, .timedOut, .cannotConnectToHost, .notConnectedToInternet]
      .contains(error.code)
  default: false
  }
}
// endregion
