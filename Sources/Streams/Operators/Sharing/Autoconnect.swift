extension ConnectablePublisher {
  /// Connects when the first subscriber attaches, and disconnects when the last one cancels.
  ///
  /// A subscriber that receives a completion hasn't cancelled, so it still counts. So does one that
  /// cancels before the connection is made, as `first()` does if upstream delivers at once: the
  /// connection stays, and later subscribers join it. It ends with this publisher. Follows
  /// Combine's `autoconnect()`.
  ///
  /// - Returns: A publisher that connects automatically.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// A publisher that connects automatically; see ``ConnectablePublisher/autoconnect()``.
  public class Autoconnect<Upstream>: Publisher where Upstream: ConnectablePublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher to connect.
    public final let upstream: Upstream

    final let connection = Connection()

    public init(upstream: Upstream) { self.upstream = upstream }

    public final func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let hasToConnect = connection.join()
      upstream.attach(AutoconnectStage(downstream: subscriber, connection: connection))
      if hasToConnect { connection.established(upstream.connect()) }
    }
  }
}

// `@unchecked`: both properties are constants and `Sendable`, and the class isn't open.
extension Publishers.Autoconnect: @unchecked Sendable where Upstream: Sendable {}

/// A connection, and how many subscribers it has.
///
/// The first subscriber connects, after it has subscribed. If a second one joins on the same thread
/// before that, from within the first one's subscription, it connects too, as in Combine. The last
/// connection made replaces the other one, and both subscribers count. A subscriber that joins on
/// another thread doesn't connect.
///
/// Any thread can join and leave. The last subscriber to leave cancels the connection, on its own
/// thread and outside the lock. While the connection is being made, it can't be cancelled, so one
/// member is left in any case, as in Combine. If all subscribers have left by then, no cancellation
/// removes that member any more. So the connection isn't made again, and lasts as long as this
/// object.
final class Connection: Sendable {
  private enum State {
    case disconnected
    case connecting(by: UInt, members: Int)
    case connected(any Cancellable, members: Int)
  }

  private let state = Locked(State.disconnected)

  init() {}

  deinit {
    if case .connected(let connection, _) = state.withLock({ $0 }) { connection.cancel() }
  }

  /// Adds a member.
  ///
  /// - Returns: Whether this member has to connect.
  func join() -> Bool {
    state.withLock { state in
      switch state {
      case .disconnected:
        state = .connecting(by: ThreadID.current, members: 1)
        return true
      case .connecting(let thread, let members):
        state = .connecting(by: thread, members: members + 1)
        return thread == ThreadID.current
      case .connected(let connection, let members):
        state = .connected(connection, members: members + 1)
        return false
      }
    }
  }

  /// Keeps the connection, and cancels the one that it replaces.
  func established(_ connection: any Cancellable) {
    let former = state.withLock { state in
      let (former, members): ((any Cancellable)?, Int) =
        switch state {
        // A connection that was made within this one has come and gone.
        case .disconnected: (nil, 1)
        case .connecting(_, let members): (nil, members)
        case .connected(let former, let members): (former, members)
        }
      state = .connected(connection, members: members)
      return former
    }
    former?.cancel()
  }

  /// Removes a member. The last one disconnects.
  func leave() {
    let ended = state.withLock { state -> (any Cancellable)? in
      switch state {
      case .disconnected:
        return nil
      case .connecting(let thread, let members):
        state = .connecting(by: thread, members: max(1, members - 1))
        return nil
      case .connected(let connection, let members):
        state = members > 1 ? .connected(connection, members: members - 1) : .disconnected
        return members > 1 ? nil : connection
      }
    }
    ended?.cancel()
  }
}

struct AutoconnectStage<Downstream: Subscriber>: TransparentStage {
  var name: String { "Autoconnect" }
  let downstream: Downstream
  let connection: Connection

  init(downstream: Downstream, connection: Connection) {
    (self.downstream, self.connection) = (downstream, connection)
  }

  func receive(subscription: any Subscription) {
    downstream.receive(
      subscription: AutoconnectSubscription(upstream: subscription, connection: connection))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    downstream.receive(input)
  }
}

/// A subscription that leaves the connection when it's cancelled.
final class AutoconnectSubscription: Subscription, Named {
  private let upstream: any Subscription
  private let connection: Locked<Connection?>

  init(upstream: any Subscription, connection: Connection) {
    self.upstream = upstream
    self.connection = Locked(connection)
  }

  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  func cancel() {
    connection.withLock { $0.take() }?.leave()
    upstream.cancel()
  }

  var name: String { (upstream as? any CustomStringConvertible)?.description ?? "Autoconnect" }
}
