import StreamsTesting
import Testing

struct SnapshotNameTests {
  @Test(arguments: [
    ("showsWhatWasFound", "shows-what-was-found"),
    ("testShowsA", "test-shows-a"),
    ("URLSessionTests", "url-session-tests"),
    ("HTTP2Client", "http2-client"),
    ("a snapshot, shown", "a-snapshot-shown"),
    ("GET /users?page=2", "get-users-page-2"),
    ("already-fine-3", "already-fine-3"),
    ("snake_case", "snake-case"),
    ("../Å b", "b"),
  ])
  func joinsWordsWithHyphens(text: String, name: String) throws {
    #expect(try SnapshotName(folder: text, parts: [text]).description == "\(name)/\(name)")
    #expect(
      try SnapshotName(folder: "f", parts: [text, text]).description == "f/\(name).\(name)")
  }

  @Test(arguments: ["", "é", "..", "日本"])
  func refusesTextsWithoutALetterOrDigit(text: String) {
    #expect(
      throws: SnapshotSetupError(
        "\"\(text)\" can't name a snapshot, because it has none of a-z, A-Z and 0-9. Pass "
          + "another name with `named:`.")
    ) { try SnapshotName(folder: "f", parts: ["a", text]) }
  }
}
