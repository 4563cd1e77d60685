import Foundation
import StreamsTesting
import TestSupport

/// A package in a temporary folder, with a test target that has a source file.
struct PackageFolder {
  /// The reference of ``failure(of:named:environment:)``.
  static let reference = "Tests/My Target/Snapshots/some-tests/some-name.txt"
  /// The text that differed.
  static let actual = ".build/snapshots/\(reference)"

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Package.swift")
    try folder.write("", to: "Tests/My Target/SomeTests.swift")
  }

  /// Writes a file, and makes the folders that it needs.
  func write(_ text: String, to path: String) throws { try folder.write(text, to: path) }

  /// The texts of all files but the sources, by their paths.
  var files: [String: String] { folder.files.filter { !$0.key.hasSuffix(".swift") } }

  /// Compares a text with its reference.
  func failure(of text: String, environment: [String: String] = [:]) throws -> String? {
    try SnapshotStore(
      environment: environment,
      testFile: folder.url.appendingPathComponent("Tests/My Target/SomeTests.swift").path
    ).failure(of: text, SnapshotName(folder: "SomeTests", parts: ["someName"]))
  }

  /// Compares a text with its reference in a mode.
  func failure(of text: String, mode: String?) throws -> String? {
    try failure(of: text, environment: mode.map { ["SNAPSHOT_RECORD": $0] } ?? [:])
  }
}
