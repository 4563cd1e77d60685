extension Publisher {
  /// Publishes the property of each value at a key path.
  ///
  ///     users.map(\.name)  // "Ada", "Grace"
  ///
  /// - Parameter keyPath: Which property.
  /// - Returns: A publisher that passes demand, completion and subscription on unchanged.
  // The default value is never used. It is there for the type checker: because this parameter can
  // be left out, `map { … }` can't mean a key path, so each closure leaves one overload less to try.
  @inlinable
  public func map<T>(
    _ keyPath: KeyPath<Output, T> = noKeyPath()
  ) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Publishes the properties of each value at two key paths, as a tuple.
  ///
  ///     users.map(\.name, \.age)  // ("Ada", 36), ("Grace", 85)
  ///
  /// - Parameters:
  ///   - keyPath0: Which property comes first.
  ///   - keyPath1: Which property comes second.
  /// - Returns: A publisher that passes demand, completion and subscription on unchanged.
  @inlinable
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Publishes the properties of each value at three key paths, as a tuple.
  ///
  ///     users.map(\.name, \.age, \.city)  // ("Ada", 36, "London"), ("Grace", 85, "New York")
  ///
  /// - Parameters:
  ///   - keyPath0: Which property comes first.
  ///   - keyPath1: Which property comes second.
  ///   - keyPath2: Which property comes third.
  /// - Returns: A publisher that passes demand, completion and subscription on unchanged.
  @inlinable
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>,
    _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(
      upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }
}

/// Stands where a key path may be left out, which type-checks only if its type is written down.
@usableFromInline
func noKeyPath<Root, Value>() -> KeyPath<Root, Value> {
  preconditionFailure("map: a key path is missing")
}

extension Publishers {
  /// A publisher of the property of each value at a key path.
  public struct MapKeyPath<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Which property is published.
    public let keyPath: KeyPath<Upstream.Output, Output>

    @inlinable
    init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      let keyPath = keyPath
      upstream.attach(MapStage(downstream: subscriber) { $0[keyPath: keyPath] })
    }
  }

  /// A publisher of the properties of each value at two key paths, as a tuple.
  public struct MapKeyPath2<Upstream, Output0, Output1>: Publisher where Upstream: Publisher {
    public typealias Output = (Output0, Output1)
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Which property comes first.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// Which property comes second.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    @inlinable
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
      keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      let (keyPath0, keyPath1) = (keyPath0, keyPath1)
      upstream.attach(
        MapStage(downstream: subscriber) {
          ($0[keyPath: keyPath0], $0[keyPath: keyPath1])
        })
    }
  }

  /// A publisher of the properties of each value at three key paths, as a tuple.
  public struct MapKeyPath3<Upstream, Output0, Output1, Output2>: Publisher
  where Upstream: Publisher {
    public typealias Output = (Output0, Output1, Output2)
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Which property comes first.
    public let keyPath0: KeyPath<Upstream.Output, Output0>

    /// Which property comes second.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    /// Which property comes third.
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

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      let (keyPath0, keyPath1, keyPath2) = (keyPath0, keyPath1, keyPath2)
      upstream.attach(
        MapStage(downstream: subscriber) {
          ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2])
        })
    }
  }
}
