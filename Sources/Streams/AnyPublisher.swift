extension Publisher {
  /// Hides the type of this publisher, so that it can change without its users noticing.
  ///
  /// - Returns: A publisher that behaves as this one.
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher whose type is hidden.
///
/// Wrapping one that is hidden already adds nothing. Source of the rules: Combine's
/// `AnyPublisher`.
@frozen
public struct AnyPublisher<Output, Failure>: Publisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
where Failure: Error {
  // Formed where the publisher's type is known, so that its chain is specialised.
  @usableFromInline
  let attach: (AnySubscriber<Output, Failure>) -> Void

  /// Hides the type of a publisher.
  ///
  /// - Parameter publisher: Receives every subscriber of this one.
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

  @inlinable
  @inline(__always)
  public func receive<S>(subscriber: S)
  where S: Subscriber, Output == S.Input, Failure == S.Failure {
    attach(AnySubscriber(subscriber))
  }

  /// `AnyPublisher`.
  public var description: String { "AnyPublisher" }

  public var playgroundDescription: Any { description }
}
