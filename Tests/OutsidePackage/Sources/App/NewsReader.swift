import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Loads news for a user, with a token that it gets when it needs one.
public actor NewsReader {
  public struct Refused: Error, Equatable {}

  private let session: URLSession
  private let clock: any Clock<Duration>
  private var token: Task<String, any Error>?

  public init(session: URLSession, clock: any Clock<Duration> = ContinuousClock()) {
    (self.session, self.clock) = (session, clock)
  }

  /// The titles of the news, and how many messages are new: loaded at the same time.
  public func front() async throws -> (titles: [String], messages: Int) {
    async let titles = load("news")
    async let messages = load("messages")
    return try await (titles.split(separator: ",").map(String.init), Int(messages) ?? 0)
  }

  /// Loads a text. If the server is busy, it's asked again after 1, 2 and 4 seconds.
  private func load(_ name: String) async throws -> String {
    var pause = Duration.seconds(1)
    for attempt in 1...4 {
      var request = URLRequest(url: URL(string: "https://example.com/\(name)")!)
      request.setValue(try await validToken(), forHTTPHeaderField: "Authorization")
      let (data, response) = try await session.data(for: request)
      if (response as? HTTPURLResponse)?.statusCode == 200 {
        return String(decoding: data, as: UTF8.self)
      }
      if attempt < 4 { try await clock.sleep(for: pause) }
      pause *= 2
    }
    throw Refused()
  }

  /// The token. All callers wait for the same one.
  private func validToken() async throws -> String {
    if let token { return try await token.value }
    let new = Task { [session] in
      let (data, _) = try await session.data(from: URL(string: "https://example.com/token")!)
      return String(decoding: data, as: UTF8.self)
    }
    token = new
    return try await new.value
  }

  /// Asks for new messages every minute, until the loop over it ends.
  public nonisolated func newMessages() -> AsyncStream<Int> {
    AsyncStream { continuation in
      let polling = Task {
        while !Task.isCancelled {
          continuation.yield((try? await front().messages) ?? 0)
          try await clock.sleep(for: .seconds(60))
        }
      }
      continuation.onTermination = { _ in polling.cancel() }
    }
  }
}

/// Searches when the user has stopped typing for 300 ms.
@MainActor public final class AsyncSearch {
  public private(set) var results = ""
  private var searching: Task<Void, any Error>?
  private let session: URLSession
  private let clock: any Clock<Duration>

  public init(session: URLSession, clock: any Clock<Duration> = ContinuousClock()) {
    (self.session, self.clock) = (session, clock)
  }

  public func type(_ text: String) {
    searching?.cancel()
    searching = Task {
      try await clock.sleep(for: .milliseconds(300))
      let url = URL(string: "https://example.com/search/\(text)")!
      let (data, _) = try await session.data(from: url)
      try Task.checkCancellation()
      results = String(decoding: data, as: UTF8.self)
    }
  }
}
