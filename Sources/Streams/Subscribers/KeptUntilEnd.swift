/// What `Subscribers.Sink` and `Subscribers.Assign` share: they request unlimited values, and keep
/// their closures or their object until the stream ends or is cancelled.
///
/// Any thread may cancel. Nothing is called or released under the lock.
struct KeptUntilEnd<Content> {
  private enum State {
    case awaiting(Content)
    case attached(Content, any Subscription)
    case ended
  }

  private let state: Locked<State>

  init(_ content: Content) { state = Locked(.awaiting(content)) }

  /// The content; `nil` after the end.
  var content: Content? {
    state.withLock { state in
      switch state {
      case .awaiting(let content), .attached(let content, _): content
      case .ended: nil
      }
    }
  }

  /// The content, while there's a subscription.
  var attachedContent: Content? {
    state.withLock { if case .attached(let content, _) = $0 { content } else { nil } }
  }

  /// Requests everything from the first subscription, if it comes before the end. Cancels others.
  func attach(_ subscription: any Subscription) {
    let isKept = state.withLock { state in
      guard case .awaiting(let content) = state else { return false }
      state = .attached(content, subscription)
      return true
    }
    if isKept { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  /// Ends the stream.
  ///
  /// - Returns: What was kept before, for the caller to use and to release.
  func end() -> (content: Content?, subscription: (any Subscription)?) {
    let old = state.withLock { state in
      defer { state = .ended }
      return state
    }
    return switch old {
    case .awaiting(let content): (content, nil)
    case .attached(let content, let subscription): (content, subscription)
    case .ended: (nil, nil)
    }
  }
}
