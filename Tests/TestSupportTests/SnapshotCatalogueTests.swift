import Foundation
import StreamsTesting
import TestSupport
import Testing

struct SnapshotCatalogueTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    try folder.write("", to: "Tests/Target/Snapshots/.gitkeep")
    try folder.write("a\n", to: "Tests/Target/Snapshots/first/trace.txt")
    try folder.write("a\n", to: "Tests/Target/Snapshots/first/marble.txt")
    try folder.write("a\n", to: "Tests/Target/Snapshots/second/trace.txt")
    try folder.write("a\n", to: "Tests/Other/Snapshots/third/trace.txt")
  }

  private static let complete: [(id: String, kinds: [SnapshotKind])] = [
    ("first", [.trace, .marble]), ("second", [.trace]),
  ]

  @Test(arguments: SnapshotRecordMode.allCases)
  func passesIfTheCatalogueMatchesTheFiles(mode: SnapshotRecordMode) throws {
    #expect(try failure(of: Self.complete, mode: mode) == nil)
    expectEqual(folder.files.count, 6)
  }

  @Test func listsObsoleteAndMissingFiles() throws {
    let failure = try failure(of: [("first", [.trace, .svg])], mode: .check)
    expectEqual(
      failure,
      """
      The snapshots differ from the catalogue.
        Tests/Target/Snapshots/first/marble.txt: obsolete.
        Tests/Target/Snapshots/second/trace.txt: obsolete.
        Tests/Target/Snapshots/first/svg.txt: missing.
      SNAPSHOT_RECORD=all swift test writes and removes references.
      """)
    expectEqual(folder.files.count, 6)
  }

  @Test func removesObsoleteFilesInTheModeAll() throws {
    expectEqual(
      try failure(of: [("first", [.trace, .svg])], mode: .all),
      """
      The snapshots differ from the catalogue.
        Tests/Target/Snapshots/first/marble.txt: obsolete, removed.
        Tests/Target/Snapshots/second/trace.txt: obsolete, removed.
      """)
    expectEqual(
      folder.files.keys.sorted(),
      [
        "Package.swift", "Tests/Other/Snapshots/third/trace.txt", "Tests/Target/Snapshots/.gitkeep",
        "Tests/Target/Snapshots/first/trace.txt",
      ])
    let second = folder.url.appendingPathComponent("Tests/Target/Snapshots/second").path
    #expect(!FileManager.default.fileExists(atPath: second))
  }

  @Test(arguments: [SnapshotRecordMode.missing, .failed])
  func removesNothingInTheOtherModes(mode: SnapshotRecordMode) throws {
    #expect(try failure(of: [("first", [.trace])], mode: mode) != nil)
    expectEqual(folder.files.count, 6)
  }

  @Test func refusesRepeatedEntries() throws {
    let catalogue = Self.complete + [("first", [.trace])]
    expectEqual(
      try failure(of: catalogue, mode: .check),
      """
      The snapshots differ from the catalogue.
        first/trace: declared twice.
      SNAPSHOT_RECORD=all swift test writes and removes references.
      """)
  }

  private func failure(
    of catalogue: [(id: String, kinds: [SnapshotKind])], mode: SnapshotRecordMode
  ) throws -> String? {
    try SnapshotStore(
      environment: ["SNAPSHOT_RECORD": mode.rawValue],
      testFile: folder.url.appendingPathComponent("Tests/Target/A.swift").path
    ).failure(ofCatalogue: catalogue)
  }
}
