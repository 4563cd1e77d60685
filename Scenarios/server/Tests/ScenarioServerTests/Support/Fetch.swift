import Foundation
import FoundationNetworking
import Synchronization

/// The outcome of a task, as its delegate sees it.
struct Fetched: Equatable {
  var status: Int?
  var headers: [String: String] = [:]
  /// The whole body. The network decides how it's cut into chunks, so tests don't look at those.
  var body = Data()
  var error: URLError.Code?

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Sends a request to a server and waits until the task ends.
///
/// - Parameter enough: Called with the outcome so far. If it returns `true`, the task is cancelled.
func fetch(
  _ url: String, method: String = "GET", headers: [String: String] = [:], body: Data? = nil,
  enough: @escaping @Sendable (Fetched) -> Bool = { _ in false }
) async throws -> Fetched {
  guard let url = URL(string: url) else { throw URLError(.badURL) }
  var request = URLRequest(url: url)
  request.httpMethod = method
  request.httpBody = body
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  return await fetch(request, enough: enough)
}

/// Sends a request and waits until the task ends.
func fetch(
  _ request: URLRequest, configuration: URLSessionConfiguration = .ephemeral,
  enough: @escaping @Sendable (Fetched) -> Bool = { _ in false }
) async -> Fetched {
  let listener = Listener(enough: enough)
  let session = URLSession(configuration: configuration, delegate: listener, delegateQueue: nil)
  defer { session.invalidateAndCancel() }
  let task = session.dataTask(with: request)
  return await withCheckedContinuation { continuation in
    listener.onEnd = { continuation.resume(returning: $0) }
    task.resume()
  }
}

/// `@unchecked`: a session makes one delegate call at a time, and `onEnd` is set before the first.
private final class Listener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  var onEnd: ((Fetched) -> Void)?
  private let enough: @Sendable (Fetched) -> Bool
  private var fetched = Fetched()

  init(enough: @escaping @Sendable (Fetched) -> Bool) { self.enough = enough }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      fetched.status = response.statusCode
      for (name, value) in response.allHeaderFields {
        fetched.headers["\(name)".lowercased()] = "\(value)"
      }
    }
    completionHandler(.allow)
    if enough(fetched) { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    fetched.body += data
    if enough(fetched) { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    fetched.error = (error as? URLError)?.code
    onEnd?(fetched)
    onEnd = nil
  }
}
