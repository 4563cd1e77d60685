extension Publisher {
  /// Shares one subscription to this publisher between all subscribers.
  ///
  /// The first subscriber starts it, and the first request asks upstream for all values. Each
  /// subscriber gets the values that arrive while it's attached, as far as its own demand goes.
  /// Earlier values aren't replayed. A subscriber that attaches after the end gets only the
  /// completion. When the last subscriber cancels, upstream is cancelled and forgotten; the next
  /// subscriber starts it again, and then all values are requested at once.
  ///
  /// A subscriber that cancels while upstream is only just being started still counts, as in
  /// Combine. That's what `first()` does if upstream has a value at once. Upstream then isn't
  /// started again: it runs until it ends or this publisher is released, and the next subscriber
  /// gets what's still to come.
  ///
  /// - Returns: A publisher that is a class instance, so copies share the same subscription.
  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

extension Publishers {
  /// A publisher that shares one subscription; see ``Publisher/share()``.
  ///
  /// Autoconnect counts the subscribers, and Multicast has the subject that they're subscribed to.
  public final class Share<Upstream>: Publisher, Equatable where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = upstream.multicast { PassthroughSubject() }.autoconnect()
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      shared.attach(subscriber)
    }

    /// Whether both are the same object.
    public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
  }
}

// `@unchecked`: the closure of its multicast publisher is the library's own, and captures nothing.
extension Publishers.Share: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}
