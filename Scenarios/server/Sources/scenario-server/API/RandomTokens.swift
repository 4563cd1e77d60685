import Crypto
import Foundation
import TodoAPI

/// Makes tokens of 32 random bytes. The database holds only their SHA-256.
///
/// You can't log in with a token's hash from a stolen file. A token has too many bits to guess, so
/// a fast hash without salt is enough.
struct RandomTokens: TokenMaking {
  func makeToken() -> String {
    Data.random(count: 32).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  func digest(_ token: String) -> String {
    SHA256.hash(data: Data(token.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }
    .joined()
  }
}
