extension Published {
  /// A publisher of the values of a ``Published`` property: the current one, and then each new
  /// value before the property changes.
  ///
  /// - **Demand:** the current value uses up one of the values that a subscriber requests. A
  ///   subscriber that misses values for lack of demand gets the newest one, once, when it requests
  ///   again. Requesting zero values stops the program.
  /// - **Completion:** it never completes. Keep in mind that subscribers keep the last value alive
  ///   until they cancel, even after the object has gone.
  /// - **Threads:** subscribe, request and cancel from any thread.
  ///
  /// A subscriber that is added during a delivery receives the new value, as in Combine.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Value

    public typealias Failure = Never

    let subject: PropertySubject<Value>

    init(subject: PropertySubject<Value>) { self.subject = subject }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      subject.attach(subscriber)
    }
  }
}

// The subject guards its values with a lock.
extension Published.Publisher: Sendable where Value: Sendable {}
