/// A hook for debugging: it's told about each signal between each publisher and its subscriber.
///
/// A debugger or a test uses it to look at pipelines without changing them. Implement the methods
/// that you need, because each has a default that does nothing, and call ``enable()``:
///
///     final class ValuePrinter: _Introspection {
///       func willReceive<S>(subscriber: S, input: S.Input) where S: Subscriber {
///         print("\(subscriber) receives \(input)")
///       }
///     }
///
///     let printer = ValuePrinter()
///     printer.enable()
///     let numbers = PassthroughSubject<Int, Never>()
///     let subscription = numbers.map { $0 * 10 }.sink { _ in }
///     numbers.send(1)  // Prints "Map receives 1" and "Sink receives 10"
///     printer.disable()
///
/// - **When it works:** a pipeline is looked at if a hook is enabled when a subscriber is attached.
///   One that was attached before isn't, and neither is a subscriber that you pass to
///   `receive(subscriber:)` instead of `subscribe(_:)`. A pipeline that's looked at tells all hooks
///   that are enabled when a signal passes, also one enabled later. While none is enabled,
///   attaching a subscriber only costs reading a flag, and a value costs nothing.
/// - **Boundaries:** each operator is a subscriber of its upstream, and a publisher for its
///   downstream. Subscribers and subscriptions are the real ones. A publisher that passes its
///   subscriber on, such as `Deferred`, shows it as an `AnySubscriber` the second time.
///   `AnyPublisher` hides the boundary to the publisher inside.
/// - **Order:** several hooks are told in the order in which they were enabled. Each `will…` has
///   its `did…`, unless the hook is enabled or disabled in between. A `did…` follows when the
///   signal has passed, so the signals that it caused come before it.
/// - **Threads:** a hook is called where the signal passes, from any thread and from several at
///   once. It has to be safe for that.
/// - **Own pipelines:** a hook that subscribes or sends is told about that too. If it does so for
///   each signal, it has to leave out its own.
///
/// Follows Combine's `_Introspection`.
// The underscore is Combine's.
// swift-format-ignore: NoLeadingUnderscores
public protocol _Introspection: AnyObject {
  /// A subscriber is about to be attached to a publisher. It hasn't received anything from it yet.
  func willReceive<P, S>(publisher: P, subscriber: S)
  where P: Publisher, S: Subscriber, P.Failure == S.Failure, P.Output == S.Input

  /// A subscriber has been attached to a publisher. It may have received all signals by now.
  func didReceive<P, S>(publisher: P, subscriber: S)
  where P: Publisher, S: Subscriber, P.Failure == S.Failure, P.Output == S.Input

  /// A subscriber is about to receive the subscription that its publisher made.
  func willReceive<S>(subscriber: S, subscription: any Subscription) where S: Subscriber

  /// A subscriber has received the subscription that its publisher made.
  func didReceive<S>(subscriber: S, subscription: any Subscription) where S: Subscriber

  /// A subscriber is about to receive a value.
  func willReceive<S>(subscriber: S, input: S.Input) where S: Subscriber

  /// A subscriber has received a value. By what it returned, it asked for this many more.
  func didReceive<S>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand)
  where S: Subscriber

  /// A subscriber is about to receive the completion.
  func willReceive<S>(subscriber: S, completion: Subscribers.Completion<S.Failure>)
  where S: Subscriber

  /// A subscriber has received the completion.
  func didReceive<S>(subscriber: S, completion: Subscribers.Completion<S.Failure>)
  where S: Subscriber

  /// A subscriber is about to request this many more values.
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// A subscriber has requested this many more values. It may have received them by now.
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// A subscriber is about to cancel its subscription.
  func willCancel(subscription: any Subscription)

  /// A subscriber has cancelled its subscription.
  func didCancel(subscription: any Subscription)
}

extension _Introspection {
  /// Whether this hook is enabled.
  public var isEnabled: Bool { Introspection.isEnabled(self) }

  /// Tells this hook about the signals of pipelines that are attached from now on.
  ///
  /// A second call changes nothing. The hook is kept alive until it's disabled. You can call this
  /// from any thread.
  public func enable() { Introspection.enable(self) }

  /// Tells this hook nothing more, and releases it. Does nothing if it isn't enabled.
  ///
  /// You can call this from any thread, also from within a call of the hook. Another thread that's
  /// calling the hook at this moment finishes that call.
  public func disable() { Introspection.disable(self) }
}

// A hook implements only the methods that it needs. These do nothing.
extension _Introspection {
  public func willReceive<P, S>(publisher: P, subscriber: S)
  where P: Publisher, S: Subscriber, P.Failure == S.Failure, P.Output == S.Input {}
  public func didReceive<P, S>(publisher: P, subscriber: S)
  where P: Publisher, S: Subscriber, P.Failure == S.Failure, P.Output == S.Input {}
  public func willReceive<S>(subscriber: S, subscription: any Subscription) where S: Subscriber {}
  public func didReceive<S>(subscriber: S, subscription: any Subscription) where S: Subscriber {}
  public func willReceive<S>(subscriber: S, input: S.Input) where S: Subscriber {}
  public func didReceive<S>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand)
  where S: Subscriber {}
  public func willReceive<S>(subscriber: S, completion: Subscribers.Completion<S.Failure>)
  where S: Subscriber {}
  public func didReceive<S>(subscriber: S, completion: Subscribers.Completion<S.Failure>)
  where S: Subscriber {}
  public func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}
  public func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}
  public func willCancel(subscription: any Subscription) {}
  public func didCancel(subscription: any Subscription) {}
}
