/// A subscriber that shows nothing of itself except the name of its operator.
///
/// People see it when they implement a publisher or a hook, and print the subscriber.
@usableFromInline
protocol NamedSubscriber: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  var name: String { get }
}

extension NamedSubscriber {
  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { name }
}

extension RelayStage {
  @usableFromInline var name: String { relay.operatorName }
}

extension SuccessionStage {
  @usableFromInline var name: String { succession.name }
}

// Subscribers of operators with several upstreams.

extension FlatMapSubscriber: NamedSubscriber {
  @usableFromInline var name: String { junction.description }
}

extension MergedSubscriber: NamedSubscriber {
  @usableFromInline var name: String { junction.description }
}

extension SwitchSubscriber: NamedSubscriber {
  @usableFromInline var name: String { junction.description }
}

extension LatestSubscriber: NamedSubscriber {
  @usableFromInline var name: String { junction.description }
}

extension CombinedSubscriber: NamedSubscriber {
  @usableFromInline var name: String { "\(junction)" }
}

extension PrefixTrigger: NamedSubscriber {
  @usableFromInline var name: String { stage.name }
}

extension DropTrigger: NamedSubscriber {
  @usableFromInline var name: String { stage.name }
}
