extension Publisher {
  /// Publishes one property of each value, given by a key path.
  ///
  ///     users.map(\.name)  // "Ada", "Grace"
  ///
  /// - Parameter keyPath: The key path of the property.
  /// - Returns: A publisher that passes on the subscription, demand and completion unchanged.
  // The default value is never used. It's there for the type checker: because you can omit this
  // parameter, `map { … }` can't mean a key path, so there's one overload less to try for each
  // closure.
  @inlinable
  public func map<T>(
    _ keyPath: KeyPath<Output, T> = noKeyPath()
  ) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Publishes two properties of each value as a tuple, given by key paths.
  ///
  ///     users.map(\.name, \.age)  // ("Ada", 36), ("Grace", 85)
  ///
  /// - Parameters:
  ///   - keyPath0: The key path of the first property.
  ///   - keyPath1: The key path of the second property.
  /// - Returns: A publisher that passes on the subscription, demand and completion unchanged.
  @inlinable
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Publishes three properties of each value as a tuple, given by key paths.
  ///
  ///     users.map(\.name, \.age, \.city)  // ("Ada", 36, "London"), ("Grace", 85, "New York")
  ///
  /// - Parameters:
  ///   - keyPath0: The key path of the first property.
  ///   - keyPath1: The key path of the second property.
  ///   - keyPath2: The key path of the third property.
  /// - Returns: A publisher that passes on the subscription, demand and completion unchanged.
  @inlinable
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>,
    _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(
      upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }
}

/// The default for a key path that's left out. Code that leaves one out compiles only if it spells
/// out the key path's type.
@usableFromInline
func noKeyPath<Root, Value>() -> KeyPath<Root, Value> {
  preconditionFailure("map: a key path is missing")
}

extension Publishers {
  /// A publisher of one property of each value.
  public struct MapKeyPath<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let keyPath: KeyPath<Upstream.Output, Output>

    @inlinable
    init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      (self.upstream, self.keyPath) = (upstream, keyPath)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(MapStage(downstream: subscriber) { [keyPath] in $0[keyPath: keyPath] })
    }
  }

  /// A publisher of two properties of each value, as a tuple.
  public struct MapKeyPath2<Upstream, Output0, Output1>: Publisher where Upstream: Publisher {
    public typealias Output = (Output0, Output1)
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    @inlinable
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
      keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      (self.upstream, self.keyPath0, self.keyPath1) = (upstream, keyPath0, keyPath1)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let (keyPath0, keyPath1) = (keyPath0, keyPath1)
      upstream.attach(
        MapStage(downstream: subscriber) {
          ($0[keyPath: keyPath0], $0[keyPath: keyPath1])
        })
    }
  }

  /// A publisher of three properties of each value, as a tuple.
  public struct MapKeyPath3<Upstream, Output0, Output1, Output2>: Publisher
  where Upstream: Publisher {
    public typealias Output = (Output0, Output1, Output2)
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    public let keyPath1: KeyPath<Upstream.Output, Output1>
    public let keyPath2: KeyPath<Upstream.Output, Output2>

    @inlinable
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
      keyPath1: KeyPath<Upstream.Output, Output1>, keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let (keyPath0, keyPath1, keyPath2) = (keyPath0, keyPath1, keyPath2)
      upstream.attach(
        MapStage(downstream: subscriber) {
          ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2])
        })
    }
  }
}
