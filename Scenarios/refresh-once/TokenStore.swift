import ScenarioKit

// region: protocol
protocol TokenStore: Actor {
  var token: String { get }

  /// A token that's newer than the one which the server refused.
  func token(after refused: String) async throws -> String
}
// endregion

// region: checking
actor CheckingStore: TokenStore {
  private(set) var token = "old"
  private let session: URLSession

  init(_ session: URLSession) { self.session = session }

  func token(after refused: String) async throws -> String {
    // note: Another call may have refreshed it already.
    if token != refused { return token }
    // note: While this waits for the response, the actor lets other calls in.
    token = try await loadToken(session)
    return token
  }
}
// endregion

// region: sharing
actor SharingStore: TokenStore {
  private(set) var token = "old"
  private var refresh: Task<String, any Error>?
  private let session: URLSession

  init(_ session: URLSession) { self.session = session }

  func token(after refused: String) async throws -> String {
    if token != refused { return token }
    // note: A refresh is under way, so this call waits for its result.
    if let refresh { return try await refresh.value }
    // note: From the check to this line there's no `await`, so no other call comes in between.
    let refresh = Task { [session] in try await loadToken(session) }
    self.refresh = refresh
    defer { self.refresh = nil }
    token = try await refresh.value
    return token
  }
}
// endregion
