import Crypto
import CryptoExtras
import Foundation
import TodoAPI

/// Keeps of a password what scrypt makes of it: slow to try out, for whoever gets the file.
///
/// A hash is text of the form `$scrypt$ln=15,r=8,p=3$SALT$KEY`, in Base64. It says itself how it was
/// made: when new ones are made at a higher cost, old ones can still be verified.
struct ScryptPasswords: PasswordHashing {
  /// How much work it is to make a key.
  struct Cost: Equatable {
    /// The logarithm of the number of rounds.
    let log2Rounds: Int
    let blockSize: Int
    let parallelism: Int

    /// Takes 32 MiB, which a handful of logins at once may have, and one of the equivalents that
    /// OWASP names. `docs/server.md` says how long that takes.
    static let standard = Cost(log2Rounds: 15, blockSize: 8, parallelism: 3)

    fileprivate var text: String { "ln=\(log2Rounds),r=\(blockSize),p=\(parallelism)" }
  }

  struct UnreadableHash: Error {}

  private let cost: Cost

  init(cost: Cost = .standard) { self.cost = cost }

  func hash(_ password: String) throws -> String {
    var generator = SystemRandomNumberGenerator()
    let salt = Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let key = try key(of: password, salt: salt, cost: cost)
    return "$scrypt$\(cost.text)$\(salt.base64EncodedString())"
      + "$\(key.withUnsafeBytes { Data($0) }.base64EncodedString())"
  }

  func verify(_ password: String, against hash: String) throws -> Bool {
    let pattern = /\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([^$]+)\$([^$]+)/
    guard let match = hash.wholeMatch(of: pattern)?.output,
      let log2Rounds = Int(match.1), let blockSize = Int(match.2), let parallelism = Int(match.3),
      let salt = Data(base64Encoded: String(match.4)),
      let kept = Data(base64Encoded: String(match.5)), kept.count == Self.keyLength
    else { throw UnreadableHash() }
    let cost = Cost(log2Rounds: log2Rounds, blockSize: blockSize, parallelism: parallelism)
    // Keys are compared in a time that does not tell how much of them is right.
    return try key(of: password, salt: salt, cost: cost) == SymmetricKey(data: kept)
  }

  private static let keyLength = 32

  private func key(of password: String, salt: Data, cost: Cost) throws -> SymmetricKey {
    // The same characters are the same password, however a keyboard composes them.
    let bytes = Data(password.precomposedStringWithCanonicalMapping.utf8)
    return try KDF.Scrypt.deriveKey(
      from: bytes, salt: salt, outputByteCount: Self.keyLength, rounds: 1 << cost.log2Rounds,
      blockSize: cost.blockSize, parallelism: cost.parallelism, maxMemory: 128 << 20)
  }
}
