extension Publisher where Failure == Never {
  /// Waits to publish values until you call `connect()`, so that several subscribers can attach
  /// first.
  ///
  /// - Returns: A connectable publisher of the same values, shared through a
  ///   ``PassthroughSubject``.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension Publishers {
  /// A publisher that waits for `connect()`; see ``Publisher/makeConnectable()``.
  public struct MakeConnectable<Upstream>: ConnectablePublisher
  where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    let multicast: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    public init(upstream: Upstream) {
      multicast = upstream.multicast { PassthroughSubject() }
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      multicast.attach(subscriber)
    }

    /// Subscribes to upstream. Each call subscribes again.
    ///
    /// - Returns: A cancellable that cancels that subscription when it's cancelled or released.
    public func connect() -> any Cancellable { multicast.connect() }
  }
}

// `@unchecked`: the closure of its multicast publisher is the library's own, and captures nothing.
extension Publishers.MakeConnectable: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}
