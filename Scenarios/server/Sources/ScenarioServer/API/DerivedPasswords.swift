import Crypto
import CryptoExtras
import Foundation
import TodoAPI

/// Keeps of a password what PBKDF2 makes of it: slow to try out, for whoever gets the file.
///
/// A hash is text of the form `$pbkdf2-sha256$i=600000$SALT$KEY`, in Base64. It says itself how it
/// was made: when new ones are made with more rounds, old ones can still be verified.
struct DerivedPasswords: PasswordHashing {
  /// As many as OWASP asks for, and as a login may take on a small machine: 0.35 to 0.45 s,
  /// measured on two cores of a virtual one.
  ///
  /// Scrypt, at a cost that is called its equal (2^15 rounds, blocks of 8, 3 times), took 2.3 to
  /// 2.8 s there in a debug build, in which nobody would wait for a test, and takes memory besides.
  /// The innermost part of this is the same machine code in every build.
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
    // Keys are compared in a time that does not tell how much of them is right.
    return try key(of: password, salt: salt, rounds: rounds) == SymmetricKey(data: kept)
  }

  private static let keyLength = SHA256.byteCount

  private func key(of password: String, salt: Data, rounds: Int) throws -> SymmetricKey {
    // The same characters are the same password, however a keyboard composes them.
    let bytes = Data(password.precomposedStringWithCanonicalMapping.utf8)
    // Unchecked: the checked form refuses fewer than 210,000 rounds, which tests take.
    return try KDF.Insecure.PBKDF2.deriveKey(
      from: bytes, salt: salt, using: .sha256, outputByteCount: Self.keyLength,
      unsafeUncheckedRounds: rounds)
  }
}

extension Data {
  /// As random as the system can: meant for secrets.
  static func random(count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}
