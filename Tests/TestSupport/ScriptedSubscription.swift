import Streams

/// A subscription that only records the calls it gets.
package final class ScriptedSubscription: Subscription, CustomStringConvertible {
  /// A call.
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

  /// The name, which is also the prefix of each line in the log.
  package let description: String

  private let log: CallLog?
  private let onRequest: ((Subscribers.Demand) -> Void)?
  private let onCancel: (() -> Void)?
  private let state = Locked<[Call]>([])

  /// Makes a subscription without calls.
  ///
  /// - Parameters:
  ///   - description: The name, which is also the prefix of each line in the log.
  ///   - log: A log for the calls, which others may share.
  ///   - onRequest: Runs inside each request.
  ///   - onCancel: Runs inside each cancellation.
  package init(
    description: String = "upstream", log: CallLog? = nil,
    onRequest: ((Subscribers.Demand) -> Void)? = nil, onCancel: (() -> Void)? = nil
  ) {
    self.description = description
    self.log = log
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  /// All calls, in order.
  package var calls: [Call] { state.withLock { $0 } }

  /// Whether it was cancelled at least once.
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

// All state is behind the lock; the test is responsible for its hooks.
extension ScriptedSubscription: @unchecked Sendable {}
