/// A publisher that tells its subscribers that an object is about to change.
///
/// - **Demand:** a subscriber that has requested anything receives everything that is sent from
///   then on. Requesting zero values stops the program.
/// - **Completion:** it never completes.
/// - **Threads and recursion:** as for ``PassthroughSubject``.
///
/// ```
/// final class Counter: ObservableObject {
///   var count = 0 {
///     willSet { objectWillChange.send() }
///   }
/// }
/// let counter = Counter()
/// let cancellable = counter.objectWillChange.sink { print("was \(counter.count)") }
/// counter.count = 5
/// // Prints "was 0"
/// ```
///
/// Source of the rules: Combine's `ObservableObjectPublisher`.
public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void

  public typealias Failure = Never

  let hub = SubjectHub(name: "ObservableObjectPublisher", hasBackPressure: false)

  /// The object whose default publisher this is, if ``ObservedClasses`` keeps it in its table.
  private let owner: ObjectIdentifier?

  /// Makes a publisher without subscribers.
  public init() { owner = nil }

  init(owner: ObjectIdentifier) { self.owner = owner }

  deinit {
    if let owner { ObservedClasses.forget(ObjectIdentifier(self), of: owner) }
  }

  public func receive<S>(subscriber: S) where S: Subscriber, S.Input == Void, S.Failure == Never {
    hub.attach(subscriber, to: self)
  }

  /// Tells all subscribers that have requested something.
  public func send() { hub.send(()) }
}

// All of its state is in the hub.
extension ObservableObjectPublisher: Sendable {}
