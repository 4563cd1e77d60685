extension SuccessionStage {
  @usableFromInline var name: String { succession.name }
}

/// A subscriber of one of the publishers that meet in a junction.
@usableFromInline protocol JunctionSubscriber: Subscriber, Named {
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

extension PrefixTrigger: Named {
  @usableFromInline var name: String { stage.name }
}

extension DropTrigger: Named {
  @usableFromInline var name: String { stage.name }
}
