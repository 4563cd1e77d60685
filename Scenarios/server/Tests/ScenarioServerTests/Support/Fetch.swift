import Foundation
import FoundationNetworking
import Synchronization

/// All that a delegate hears of a task.
struct Fetched: Equatable {
  var status: Int?
  var headers: [String: String] = [:]
  /// The body, as one piece: where it is cut is the network's affair.
  var body = Data()
  var error: URLError.Code?

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Asks a server, and waits for the end.
///
/// - Parameter enough: Looks at what there is so far; the task is cancelled once this is true.
func fetch(
  _ url: String, method: String = "GET", headers: [String: String] = [:], body: Data? = nil,
  enough: @escaping @Sendable (Fetched) -> Bool = { _ in false }
) async throws -> Fetched {
  guard let url = URL(string: url) else { throw URLError(.badURL) }
  var request = URLRequest(url: url)
  request.httpMethod = method
  request.httpBody = body
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  let listener = Listener(enough: enough)
  let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
  defer { session.invalidateAndCancel() }
  let task = session.dataTask(with: request)
  return await withCheckedContinuation { continuation in
    listener.onEnd = { continuation.resume(returning: $0) }
    task.resume()
  }
}

/// `@unchecked`: a session calls its delegate one call at a time; `onEnd` is set before the first.
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
