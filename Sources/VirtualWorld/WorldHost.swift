import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A program that runs in a world, and has requests of its own. Tests have none.
package protocol WorldHost: Sendable {
  /// Makes a session with a real network; `nil` for the world's own network.
  func makeSession(
    delegate: (any URLSessionDelegate)?, waitsForConnectivity: Bool
  ) -> URLSession?
}
