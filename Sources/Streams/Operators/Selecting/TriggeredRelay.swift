/// A stage that waits for the first value of a second publisher, the trigger.
@usableFromInline protocol TriggeredStage: RelayStage where Relay: TriggeredRelay {
  associatedtype TriggerFailure: Error

  /// Handles the trigger's first value.
  func receiveTrigger()

  /// Handles the trigger's end, unless the stage has given up the trigger.
  func receiveTriggerEnd(_ completion: Subscribers.Completion<TriggerFailure>)
}

/// The subscriber of the trigger.
@usableFromInline struct TriggerStage<Input, Triggered: TriggeredStage>: Subscriber, Named {
  @usableFromInline typealias Failure = Triggered.TriggerFailure
  @usableFromInline let stage: Triggered

  @inlinable init(stage: Triggered) { self.stage = stage }

  @usableFromInline var name: String { stage.name }
  @inlinable var combineIdentifier: CombineIdentifier { stage.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    if stage.relay.trigger.attach(subscription) { subscription.request(.max(1)) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if stage.relay.trigger.isActive { stage.receiveTrigger() }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if stage.relay.trigger.end().upstream != nil { stage.receiveTriggerEnd(completion) }
  }
}

/// The relay of a stage that waits for a trigger.
@usableFromInline class TriggeredRelay: LateRelay {
  /// Keeps the subscription to the trigger, as a relay does with its upstream's.
  @usableFromInline final let trigger = RelaySubscription("Trigger")

  @usableFromInline
  override func cancel() {
    super.cancel()
    trigger.cancel()
  }
}
