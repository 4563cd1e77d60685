// swift-format-ignore-file: NoEmptyTrailingClosureParentheses

import StreamsFoundation

// Code that hops to the main thread. It's only compiled here, because the main queue isn't served
// while these tests run. The scenarios run such code.

// region: view
@MainActor
final class CoverView {
  var cover: Cover?
}

@MainActor
final class Display {
  let view = CoverView()
  private var cancellable: AnyCancellable?

  func show(_ url: URL) {
    cancellable = URLSession.shared.dataTaskPublisher(for: url)
      .map { $0.data }
      .replaceError(with: Data())
      .compactMap { Cover(data: $0) }
      .receive(on: DispatchQueue.main)
      .assign(to: \.cover, on: view)
  }
}
// endregion

func followOnMainQueue(_ url: URL, _ session: URLSession) -> AnyCancellable {
  session
    .dataTaskPublisher(for: url)
    .receive(on: DispatchQueue.main)
    .sink(
      receiveCompletion: { print("completion: \($0)") },
      receiveValue: { print("data: \($0.data)") })
}

func followOnMainRunLoop(_ url: URL, _ session: URLSession) -> AnyCancellable {
  session
    .dataTaskPublisher(for: url)
    .receive(on: RunLoop.main)
    .sink(
      receiveCompletion: { print("completion: \($0)") },
      receiveValue: { print("data: \($0.data)") })
}

func followSharedOnMainQueue(_ url: URL, _ session: URLSession) -> [AnyCancellable] {
  let shared = session.dataTaskPublisher(for: url).share()
  let decoded =
    shared
    .tryMap() {
      if $0.data.isEmpty { throw URLError(.zeroByteResource) }
      return $0.data
    }
    .decode(type: Book.self, decoder: JSONDecoder())
    .receive(on: DispatchQueue.main)
    .sink(
      receiveCompletion: { print("first: \($0)") },
      receiveValue: { print("shelf: \($0.shelf)") })
  let response =
    shared
    .map() {
      $0.response
    }
    .sink(
      receiveCompletion: { print("second: \($0)") },
      receiveValue: { print("\($0.statusLine).") })
  return [decoded, response]
}

// region: delegate
@MainActor
final class Page: NSObject, URLSessionDataDelegate {
  private(set) var text = ""
  private(set) var isLoading = false
  private var receivedData: Data?

  func load(_ url: URL, makeSession: (any URLSessionDelegate) -> URLSession) {
    isLoading = true
    receivedData = Data()
    let task = makeSession(self).dataTask(with: url)
    task.resume()
  }

  // The session calls these on its own queue, so they aren't on the main actor. They hop there.
  nonisolated func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {
    DispatchQueue.main.async { self.receivedData?.append(data) }
  }

  nonisolated func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?
  ) {
    DispatchQueue.main.async {
      self.isLoading = false
      if error == nil, let data = self.receivedData {
        self.text = String(data: data, encoding: .utf8) ?? ""
      }
    }
  }
}
// endregion
