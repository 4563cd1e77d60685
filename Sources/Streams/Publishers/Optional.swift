extension Optional {
  /// A publisher of the value, if there is one.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that delivers a value when it is first requested, or ends at once.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value to publish, if there is one.
    public let output: Wrapped?

    /// Makes a publisher of a value or none.
    @inlinable
    public init(_ output: Wrapped?) { self.output = output }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, Wrapped == S.Input, S.Failure == Never {
      if let output {
        SingleValueSource.attach(subscriber, to: output, name: "Optional")
      } else {
        subscriber.receiveEmptyStream(.finished)
      }
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}

// The value, if any, is here: what can be done with it is done at once.
extension Optional.Publisher {
  /// Makes another value of this one, now.
  @inlinable
  public func map<T>(_ transform: (Wrapped) -> T) -> T?.Publisher {
    T?.Publisher(output.map(transform))
  }

  /// Makes another value of this one, or nothing, now.
  @inlinable
  public func compactMap<T>(_ transform: (Wrapped) -> T?) -> T?.Publisher {
    T?.Publisher(output.flatMap(transform))
  }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func filter(_ isIncluded: (Wrapped) -> Bool) -> Wrapped?.Publisher {
    Wrapped?.Publisher(output.flatMap { isIncluded($0) ? $0 : nil })
  }

  /// This publisher: it does not fail.
  @inlinable
  public func replaceError(with output: Wrapped) -> Wrapped?.Publisher { self }

  /// This publisher: it does not fail.
  @inlinable
  public func retry(_ times: Int) -> Wrapped?.Publisher { self }
}
