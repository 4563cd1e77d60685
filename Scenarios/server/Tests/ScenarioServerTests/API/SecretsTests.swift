import Foundation
import Testing

@testable import scenario_server

@Suite struct SecretsTests {
  /// Few rounds, because the amount of work isn't tested.
  private let passwords = DerivedPasswords(rounds: 10)

  @Test func verifiesThePasswordAndNoOther() throws {
    let hash = try passwords.hash("correct horse")
    #expect(try passwords.verify("correct horse", against: hash))
    #expect(try !passwords.verify("correct Horse", against: hash))
    #expect(try !passwords.verify("", against: hash))
  }

  @Test func hashesOfOnePasswordDiffer() throws {
    #expect(try passwords.hash("correct horse") != passwords.hash("correct horse"))
  }

  @Test func aHashContainsItsParametersButNotThePassword() throws {
    let hash = try passwords.hash("correct horse")
    let parts = hash.split(separator: "$").map(String.init)
    #expect(parts.prefix(2) == ["pbkdf2-sha256", "i=10"])
    #expect(parts.dropFirst(2).map { Data(base64Encoded: $0)?.count } == [16, 32])
    #expect(!hash.contains("horse"))
  }

  /// A test vector of RFC 7914, section 11: the first 32 bytes of its 64.
  @Test func matchesATestVectorOfTheRFC() throws {
    let salt = Data("NaCl".utf8).base64EncodedString()
    let key = "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(key.dropFirst($0).prefix(2), radix: 16)
    }
    let hash = "$pbkdf2-sha256$i=80000$\(salt)$\(Data(bytes).base64EncodedString())"
    #expect(try passwords.verify("Password", against: hash))
  }

  @Test func verifiesAHashWithAnotherNumberOfRounds() throws {
    let old = try DerivedPasswords(rounds: 11).hash("correct horse")
    #expect(try passwords.verify("correct horse", against: old))
  }

  @Test func newHashesUseTheStandardRounds() throws {
    #expect(try DerivedPasswords().hash("correct horse").hasPrefix("$pbkdf2-sha256$i=600000$"))
  }

  @Test(arguments: [
    "", "correct horse", "$pbkdf2-sha256$i=10$AAAA$", "$pbkdf2-sha256$i=10$AAAA$AAAA",
    "$pbkdf2-sha256$i=0$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  ])
  func throwsIfTheTextIsNotAHash(_ text: String) {
    #expect(throws: DerivedPasswords.UnreadableHash.self) {
      try passwords.verify("correct horse", against: text)
    }
  }

  @Test func composedAndDecomposedCharactersAreTheSamePassword() throws {
    let hash = try passwords.hash("caf\u{E9} au lait")
    #expect(try passwords.verify("cafe\u{301} au lait", against: hash))
  }

  @Test func tokensHave32BytesAndDiffer() {
    let tokens = (1...100).map { _ in RandomTokens().makeToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 43 && $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil })
  }

  @Test func aDigestIsASHA256() {
    #expect(
      RandomTokens().digest("abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
