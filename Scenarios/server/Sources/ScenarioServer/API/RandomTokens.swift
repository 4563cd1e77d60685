import Crypto
import Foundation
import TodoAPI

/// Tokens of 32 random bytes, of which only the SHA-256 is kept.
///
/// A token has so many bits that nobody tries them out, so that a fast hash without salt is enough:
/// whoever gets the file cannot log in with what is in it.
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
