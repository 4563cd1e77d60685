/// How a subscriber of a subject with a current value gets the first one. A `PassthroughSubject`
/// needs nothing of this.
extension SubjectHub {
  /// Delivers the current value to a subscriber that requests it in `receive(subscription:)`, at
  /// once and on its thread. From then on, any thread may deliver to the subscriber.
  ///
  /// If another thread is inside the gate, waiting for it could block both forever. So the value is
  /// delivered outside the gate. If the other thread leaves the gate meanwhile, it passes the gate
  /// to this one, so a send on any thread waits until the value has been delivered. If the other
  /// thread sends from within its delivery, it keeps the value in the subscription instead.
  func deliverFirstValue(to subscription: SubjectSubscription) {
    if gate.isMine {
      subscription.handOver.end()
      refreshInside(subscription)
      releaseLater()
    } else if gate.enterIfEmpty() || noteFirstValue(of: subscription) {
      subscription.handOver.end()
      refreshInside(subscription)
      leaveAfterRefreshing()
    } else {
      if subscription.takeRequestForCurrent() { catchUp(subscription) }
      subscription.handOver.end()
      notes.withLock { $0.changed.append(subscription) }
      // The gate may have been passed to this thread, also while it leaves its note.
      if gate.isMine || gate.enterOrLeaveNote() || gate.isMine {
        refreshNoted()
        leaveAfterRefreshing()
      }
    }
  }

  /// Tells the thread inside the gate about a first value.
  ///
  /// - Returns: Whether the calling thread has entered instead, because the other one has left.
  private func noteFirstValue(of subscription: SubjectSubscription) -> Bool {
    notes.withLock { $0.gettingFirstValue.append(subscription) }
    guard gate.enterOrLeaveNote() else { return false }
    // Takes the note out again, because it would keep the subscription alive.
    refreshNoted()
    return true
  }

  /// A thread that is delivering a first value outside the gate, if there is one.
  func threadWithFirstValue() -> UInt {
    gettingFirstValue.removeAll { $0.handOver.isOver }
    return gettingFirstValue.first?.handOver.thread ?? ThreadID.none
  }
}
