import Crypto
import CryptoExtras
import Foundation
import TodoAPI

/// Hashes passwords with PBKDF2, which makes guessing slow if the database file is stolen.
///
/// A hash has the form `$pbkdf2-sha256$i=600000$SALT$KEY`, with salt and key in Base64. It contains
/// its number of rounds, so you can raise the number and still verify old hashes.
struct DerivedPasswords: PasswordHashing {
  /// The number of rounds that OWASP recommends. It takes 0.35 to 0.45 s on a virtual machine with
  /// two cores.
  static let standardRounds = 600_000

  struct UnreadableHash: Error {}

  private let rounds: Int

  init(rounds: Int = Self.standardRounds) { self.rounds = rounds }

  func hash(_ password: String) throws -> String {
    let salt = Data.random(count: 16)
    let key = try key(of: password, salt: salt, rounds: rounds).withUnsafeBytes { Data($0) }
    return "$pbkdf2-sha256$i=\(rounds)$\(salt.base64EncodedString())$\(key.base64EncodedString())"
  }

  func verify(_ password: String, against hash: String) throws -> Bool {
    let pattern = /\$pbkdf2-sha256\$i=(\d{1,8})\$([^$]+)\$([^$]+)/
    guard let match = hash.wholeMatch(of: pattern)?.output, let rounds = Int(match.1), rounds > 0,
      let salt = Data(base64Encoded: String(match.2)),
      let kept = Data(base64Encoded: String(match.3)), kept.count == Self.keyLength
    else { throw UnreadableHash() }
    // `SymmetricKey` compares in constant time, which doesn't tell how much of a key is right.
    return try key(of: password, salt: salt, rounds: rounds) == SymmetricKey(data: kept)
  }

  private static let keyLength = SHA256.byteCount

  private func key(of password: String, salt: Data, rounds: Int) throws -> SymmetricKey {
    // A password is the same no matter how the keyboard composes its characters.
    let bytes = Data(password.precomposedStringWithCanonicalMapping.utf8)
    // Unchecked, because the checked function refuses the few rounds that tests use (< 210,000).
    return try KDF.Insecure.PBKDF2.deriveKey(
      from: bytes, salt: salt, using: .sha256, outputByteCount: Self.keyLength,
      unsafeUncheckedRounds: rounds)
  }
}

extension Data {
  /// Random bytes from the system's generator, good enough for secrets.
  static func random(count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}
