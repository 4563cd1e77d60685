extension Publisher {
  /// Attaches a stage to this publisher. Every operator reaches its upstream this way.
  ///
  /// It does what `receive(subscriber:)` does, but calls it through a pointer. Because
  /// `receive(subscriber:)` is always inlined, the optimiser sees a chain as one function. Calling
  /// it on a stored property puts the next operator inside the borrow of this one, and the
  /// optimiser (Swift 6.3) crashes when five different operators are nested like that. A pointer
  /// ends the nesting, and costs nothing per value. `Tests/SlowTests` has chains of 40 operators.
  ///
  /// - Parameter stage: Receives the subscription, the values and the completion.
  @inlinable @inline(__always)
  func attach<S: Subscriber>(_ stage: S) where S.Input == Output, S.Failure == Failure {
    if Introspection.looks(at: Self.self) {
      attachTapped(stage)
    } else {
      attachUnseen(stage)
    }
  }

  /// Attaches a stage without telling a hook, for publishers that are part of another one.
  @inlinable @inline(__always)
  func attachUnseen<S: Subscriber>(_ stage: S) where S.Input == Output, S.Failure == Failure {
    withUnsafePointer(to: self) { $0.pointee.receive(subscriber: stage) }
  }
}
