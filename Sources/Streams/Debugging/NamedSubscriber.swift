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

extension SuccessionStage {
  @usableFromInline var name: String { succession.name }
}

/// A subscriber of one of the publishers that meet in a junction.
@usableFromInline protocol JunctionSubscriber: NamedSubscriber {
  associatedtype MeetingPoint: CustomStringConvertible
  var junction: MeetingPoint { get }
}

extension JunctionSubscriber {
  @usableFromInline var name: String { junction.description }
}

extension FlatMapSubscriber: JunctionSubscriber {}
extension MergedSubscriber: JunctionSubscriber {}
extension SwitchSubscriber: JunctionSubscriber {}
extension LatestSubscriber: JunctionSubscriber {}
extension CombinedSubscriber: JunctionSubscriber {}

extension PrefixTrigger: NamedSubscriber {
  @usableFromInline var name: String { stage.name }
}

extension DropTrigger: NamedSubscriber {
  @usableFromInline var name: String { stage.name }
}
