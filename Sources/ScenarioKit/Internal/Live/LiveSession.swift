import Foundation
import StreamsFoundation

/// A `URLSession` that sends its data tasks to one server. Its callbacks wait in its network until
/// the world's thread runs them.
///
/// A task with a completion handler has the session's delegate too, which collects its body.
///
/// `@unchecked` repeats what `URLSession` declares. The state added here is immutable.
final class LiveSession: URLSession, @unchecked Sendable {
  typealias Handler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  private let network: LiveNetwork

  init(_ delegate: (any URLSessionDelegate)?, network: LiveNetwork) {
    self.network = network
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 20
    super.init(
      configuration: configuration, delegate: LiveDelegate(delegate, network: network),
      delegateQueue: CallbackQueue(network))
  }

  override func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    makeTask(request, handler: nil)
  }

  override func dataTask(
    with url: URL, completionHandler: @escaping Handler
  ) -> URLSessionDataTask {
    makeTask(URLRequest(url: url), handler: completionHandler)
  }

  override func dataTask(
    with request: URLRequest, completionHandler: @escaping Handler
  ) -> URLSessionDataTask {
    makeTask(request, handler: completionHandler)
  }

  private func makeTask(_ request: URLRequest, handler: Handler?) -> URLSessionDataTask {
    var request = request
    request.url = request.url.map(network.server.rebased)
    request.setValue(network.run, forHTTPHeaderField: "Scenario-Run")
    let task = super.dataTask(with: request)
    network.open(task, handler)
    return task
  }
}

extension LiveSession: CancellationObserving {
  func willCancel(_ task: URLSessionTask) { network.noteCancellation(of: task) }
}

/// The delegate queue of a session: its operations wait for the world's thread.
///
/// `@unchecked` repeats what `OperationQueue` declares. The state added here is immutable.
private final class CallbackQueue: OperationQueue, @unchecked Sendable {
  private let network: LiveNetwork

  init(_ network: LiveNetwork) { self.network = network }

  override func addOperation(_ block: @escaping @Sendable () -> Void) { network.deliver(block) }

  override func addOperation(_ operation: Operation) { network.deliver { operation.start() } }
}
