import Streams

/// A subscription that writes down what is asked of it, and does nothing else of its own.
package final class ScriptedSubscription: Subscription, CustomStringConvertible {
  /// One thing that was asked.
  package enum Call: Equatable, CustomStringConvertible, Sendable {
    /// Values were requested.
    case request(Subscribers.Demand)
    /// The subscription was cancelled.
    case cancel

    /// Such as `request max(1)` or `cancel`.
    package var description: String {
      switch self {
      case .request(let demand): "request \(demand)"
      case .cancel: "cancel"
      }
    }
  }

  /// What it is called, which stands before each line in the log.
  package let description: String

  private let log: CallLog?
  private let onRequest: ((Subscribers.Demand) -> Void)?
  private let onCancel: (() -> Void)?
  private let state = Locked<[Call]>([])

  /// Makes a subscription of which nothing was asked yet.
  ///
  /// - Parameters:
  ///   - description: What it is called, which stands before each line in the log.
  ///   - log: Where to write calls too, beside what others write there.
  ///   - onRequest: What to do in the middle of a request.
  ///   - onCancel: What to do in the middle of a cancellation.
  package init(
    description: String = "upstream", log: CallLog? = nil,
    onRequest: ((Subscribers.Demand) -> Void)? = nil, onCancel: (() -> Void)? = nil
  ) {
    self.description = description
    self.log = log
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  /// What was asked, in order.
  package var calls: [Call] { state.withLock { $0 } }

  /// Whether it was cancelled, however often.
  package var isCancelled: Bool { calls.contains(.cancel) }

  package func request(_ demand: Subscribers.Demand) {
    append(.request(demand))
    onRequest?(demand)
  }

  package func cancel() {
    append(.cancel)
    onCancel?()
  }

  private func append(_ call: Call) {
    state.withLock { $0.append(call) }
    log?.append("\(description): \(call)")
  }
}

// All state is behind the lock; the test answers for its hooks.
extension ScriptedSubscription: @unchecked Sendable {}
