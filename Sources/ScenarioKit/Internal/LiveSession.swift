import Foundation
import Streams
import StreamsFoundation

/// A `URLSession` that sends its requests to one server, and reports what happens to them.
///
/// All its data tasks have the same delegate. A task with a completion handler has one too, which
/// collects the body. So the limits hold for both kinds, and a handler is called even if the
/// response asks for credentials.
///
/// `@unchecked` repeats what `URLSession` declares. The state added here is immutable.
final class LiveSession: URLSession, @unchecked Sendable {
  private let network: LiveNetwork
  private let arrivals: LiveDelegate

  init(configuration: URLSessionConfiguration, delegate: LiveDelegate, network: LiveNetwork) {
    self.network = network
    arrivals = delegate
    super.init(configuration: configuration, delegate: delegate, delegateQueue: ArrivalQueue())
    delegate.transferQueue = transferQueue
  }

  override func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    makeTask(request, handler: nil)
  }

  override func dataTask(
    with url: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  override func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    makeTask(request, handler: completionHandler)
  }

  private func makeTask(
    _ request: URLRequest, handler: LiveDelegate.Handler?
  ) -> URLSessionDataTask {
    var request = request
    request.url = request.url.map(network.server.rebased)
    request.setValue(network.run, forHTTPHeaderField: "Scenario-Run")
    let task = super.dataTask(with: request)
    arrivals.follow(task, handler)
    network.open(task)
    return task
  }
}

extension LiveSession: CancellationObserving {
  func willCancel(_ task: URLSessionTask) { network.noteCancellation(of: task) }
}
