import Foundation

/// Hashes passwords, so that they needn't be stored.
public protocol PasswordHashing: Sendable {
  /// Returns a hash to store. It's enough to verify the password, but doesn't reveal it.
  func hash(_ password: String) throws -> String

  /// Returns whether a hash was made from this password.
  func verify(_ password: String, against hash: String) throws -> Bool
}

/// Makes tokens, and digests to store instead of them.
public protocol TokenMaking: Sendable {
  /// Returns a new token that can't be guessed.
  func makeToken() -> String

  /// Returns a digest to store. Equal tokens have equal digests, and a digest doesn't reveal its
  /// token.
  func digest(_ token: String) -> String
}

/// The passwords of a model, which are stored as plain text. Never use this for real passwords.
public struct ModelPasswords: PasswordHashing {
  /// Makes a hasher for models.
  public init() {}

  public func hash(_ password: String) -> String { password }
  public func verify(_ password: String, against hash: String) -> Bool { password == hash }
}

/// The tokens of a model, which are numbered, so that they're the same in each run. Never use this
/// for real tokens.
///
/// `@unchecked`: the count is behind the lock.
public final class ModelTokens: TokenMaking, @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  /// Makes a token maker. Its first token is number 1.
  public init() {}

  public func makeToken() -> String {
    lock.withLock {
      count += 1
      return "token-\(count)"
    }
  }

  public func digest(_ token: String) -> String { token }
}
