import Foundation

/// Turns passwords into what may be kept of them.
public protocol PasswordHashing: Sendable {
  /// What to keep of a password: enough to know it again, and not to tell it.
  func hash(_ password: String) throws -> String

  /// Whether a hash was made of this password.
  func verify(_ password: String, against hash: String) throws -> Bool
}

/// Makes tokens, and what may be kept of them.
public protocol TokenMaking: Sendable {
  /// A token that was never made before and cannot be guessed.
  func makeToken() -> String

  /// What to keep of a token: always the same for the same, and not to be turned back.
  func digest(_ token: String) -> String
}

/// Passwords of a model: kept as they are. Never to be used for real ones.
public struct ModelPasswords: PasswordHashing {
  /// Makes it.
  public init() {}

  public func hash(_ password: String) -> String { password }
  public func verify(_ password: String, against hash: String) -> Bool { password == hash }
}

/// Tokens of a model: counted, so that they are the same in each run. Never to be used for real
/// ones.
///
/// `@unchecked`: the count is behind the lock.
public final class ModelTokens: TokenMaking, @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  /// Makes it; the first token is number 1.
  public init() {}

  public func makeToken() -> String {
    lock.withLock {
      count += 1
      return "token-\(count)"
    }
  }

  public func digest(_ token: String) -> String { token }
}
