extension Future {
  /// The value, once the work is done.
  ///
  /// Each read subscribes and requests one value. The task waits until the promise is called, even
  /// if the task is cancelled meanwhile: as in Combine, the work of a future can't be cancelled. If
  /// the promise is released without a call, the task waits forever.
  ///
  ///     let answer = Future<Int, any Error> { promise in promise(.success(42)) }
  ///     print(try await answer.value)  // 42
  ///
  /// Read it on any actor: you get the value on the same one.
  ///
  /// - Throws: The failure of the future.
  // Disfavoured for libraries that have one of their own, as `Optional.publisher`.
  @_disfavoredOverload
  public final nonisolated(nonsending) var value: Output {
    get async throws { try await result(isolation: #isolation).get() }
  }

  /// - Returns: The result, once it's there.
  fileprivate func result(isolation: isolated (any Actor)?) async -> Result<Output, Failure> {
    let subscriber = AwaitedSubscriber<Output, Failure>()
    subscribe(subscriber)
    return await subscriber.nextSignal(isolation: isolation).map { value in
      // A future finishes only after its value, and nothing else can end this subscription.
      guard let value else { preconditionFailure("Future: finished without a value") }
      return value
    }
  }
}

extension Future where Failure == Never {
  /// The value, once the work is done.
  ///
  /// Each read subscribes and requests one value. The task waits until the promise is called, even
  /// if the task is cancelled meanwhile: as in Combine, the work of a future can't be cancelled. If
  /// the promise is released without a call, the task waits forever.
  ///
  ///     let answer = Future<Int, Never> { promise in promise(.success(42)) }
  ///     print(await answer.value)  // 42
  ///
  /// Read it on any actor: you get the value on the same one.
  // Disfavoured for libraries that have one of their own, as `Optional.publisher`.
  @_disfavoredOverload
  public final nonisolated(nonsending) var value: Output {
    get async { await result(isolation: #isolation).get() }
  }
}
