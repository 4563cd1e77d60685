import Foundation
import Testing

@testable import ScenarioServer

@Suite struct SecretsTests {
  /// Little work: what is tested is not how much it is.
  private let passwords = ScryptPasswords(
    cost: .init(log2Rounds: 4, blockSize: 8, parallelism: 1))

  @Test func knowsThePasswordAgainAndNoOther() throws {
    let hash = try passwords.hash("correct horse")
    #expect(try passwords.verify("correct horse", against: hash))
    #expect(try !passwords.verify("correct Horse", against: hash))
    #expect(try !passwords.verify("", against: hash))
  }

  @Test func hashesOfOnePasswordDiffer() throws {
    #expect(try passwords.hash("correct horse") != passwords.hash("correct horse"))
  }

  @Test func aHashSaysHowItWasMadeAndNothingOfThePassword() throws {
    let hash = try passwords.hash("correct horse")
    let parts = hash.split(separator: "$").map(String.init)
    #expect(parts.prefix(2) == ["scrypt", "ln=4,r=8,p=1"])
    #expect(parts.dropFirst(2).map { Data(base64Encoded: $0)?.count } == [16, 32])
    #expect(!hash.contains("horse"))
  }

  /// The test vector of RFC 7914, section 12.
  @Test func isTheScryptOfTheStandard() throws {
    let salt = Data("NaCl".utf8).base64EncodedString()
    let key = """
      fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162\
      2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
      """
    // The first 32 of its 64 bytes: a longer key begins like a shorter one.
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(key.dropFirst($0).prefix(2), radix: 16)
    }
    let hash = "$scrypt$ln=10,r=8,p=16$\(salt)$\(Data(bytes).base64EncodedString())"
    #expect(try passwords.verify("password", against: hash))
  }

  @Test func verifiesWhatWasMadeAtAnotherCost() throws {
    let old = try ScryptPasswords(cost: .init(log2Rounds: 5, blockSize: 4, parallelism: 2))
      .hash("correct horse")
    #expect(try passwords.verify("correct horse", against: old))
  }

  @Test func newHashesAreMadeAtTheStandardCost() throws {
    #expect(try ScryptPasswords().hash("correct horse").hasPrefix("$scrypt$ln=15,r=8,p=3$"))
  }

  @Test(arguments: ["", "correct horse", "$scrypt$ln=4,r=8,p=1$AAAA$", "$scrypt$ln=4,r=8,p=1$AAAA$AAAA"])
  func throwsForWhatIsNoHash(_ text: String) {
    #expect(throws: ScryptPasswords.UnreadableHash.self) {
      try passwords.verify("correct horse", against: text)
    }
  }

  @Test func spellingsOfOneCharacterAreOnePassword() throws {
    let hash = try passwords.hash("caf\u{E9} au lait")
    #expect(try passwords.verify("cafe\u{301} au lait", against: hash))
  }

  @Test func aTokenIsOf32BytesAndNeverTheSame() {
    let tokens = (1...100).map { _ in RandomTokens().makeToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 43 && $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil })
  }

  @Test func aDigestIsTheSHA256() {
    #expect(
      RandomTokens().digest("abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
