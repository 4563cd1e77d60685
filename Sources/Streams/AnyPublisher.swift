extension Publisher {
  /// Hides the type of this publisher, so that you can change it without changing the code that
  /// uses it.
  ///
  /// - Returns: A publisher that behaves like this one.
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher that hides the type of another publisher.
///
/// Wrapping an `AnyPublisher` again adds nothing. Follows Combine's `AnyPublisher`.
@frozen
public struct AnyPublisher<Output, Failure>: Publisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
where Failure: Error {
  // Created where the publisher's type is known, so that its chain is specialised.
  @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void

  /// Creates a publisher that hides the type of another one.
  ///
  /// - Parameter publisher: The publisher to wrap. It receives every subscriber of this one.
  @inlinable
  public init<P>(_ publisher: P)
  where Output == P.Output, Failure == P.Failure, P: Publisher {
    if let hidden = publisher as? AnyPublisher<Output, Failure> {
      self = hidden
    } else {
      let hidden = HiddenPublisher(publisher)
      attach = { hidden.attach($0) }
    }
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    attach(AnySubscriber(subscriber))
  }

  /// `AnyPublisher`.
  public var description: String { "AnyPublisher" }

  public var playgroundDescription: Any { description }
}
