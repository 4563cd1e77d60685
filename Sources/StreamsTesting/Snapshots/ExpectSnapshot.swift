import Testing

/// Expects that a text equals the one in its snapshot file. If not, the test fails and shows the
/// difference.
///
/// ```swift
/// // In Tests/SearchTests/SearchTests.swift:
/// @Test func showsWhatWasFound() throws {
///   // …
///   expectSnapshot(of: world.transcript)
/// }
/// // Compares with Tests/SearchTests/Snapshots/search-tests/shows-what-was-found.txt
/// ```
///
/// ## Files
///
/// The folder `Snapshots` stands next to the test's source file. In it, a folder is named after the
/// source file, and a file after the test. Names are in lower case, with hyphens between words, so
/// a file system that ignores case can't mix up two of them. The text is stored byte for byte.
/// Exclude the folder in your manifest (`exclude: ["Snapshots"]`), or SwiftPM warns about it.
///
/// If the sources aren't where they were compiled, the test fails and says so. Set
/// `SNAPSHOT_DIRECTORY` to the folder of the package then.
///
/// ## Recording
///
/// A test never writes a snapshot unless you ask for it with `SNAPSHOT_RECORD`:
///
/// | Value | Missing snapshot | Different snapshot | Equal snapshot |
/// | --- | --- | --- | --- |
/// | `check`, the default | fails | fails | passes |
/// | `missing` | is written | fails | passes |
/// | `failed` | is written | is written | passes |
/// | `all` | is written | is written | is written again |
///
/// A test that writes a snapshot fails too, so you can't mistake it for a pass. If the environment
/// has `CI`, only `check` is allowed.
///
/// A text that fails is written to `.build/snapshots` in the package's folder, below the path of
/// its snapshot. The failure has the command that copies it. Outside a package, the text is written
/// to the folder for temporary files.
///
/// ## Several texts
///
/// Pass a `name` if a test has several texts, or arguments: `named: query`. Two different texts for
/// one file fail the test. The same text may be expected again, also by other tests, which is how
/// you show that two ways lead to the same result.
///
/// You can call this from any thread, in Swift Testing and in XCTest.
///
/// - Parameters:
///   - text: The text, of any length.
///   - name: A name in addition to the test's: `shows-what-was-found.second.txt`. A test with
///     arguments needs one.
///   - function: The name of the test in XCTest. Swift Testing knows it.
///   - fileID: The module and the file that a failure names.
///   - filePath: The path of the test's source file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
public func expectSnapshot(
  of text: String, named name: String? = nil, function: String = #function,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  SnapshotComparison(of: text, named: name, function: function, at: location).report()
}

/// Expects that a text equals the one in a snapshot file that you choose.
///
/// ```swift
/// // In Tests/SearchTests/SearchTests.swift:
/// expectSnapshot(of: output, in: "command line", named: "help")
/// // Compares with Tests/SearchTests/Snapshots/command-line/help.txt
/// ```
///
/// Use this if several tests share a snapshot. In all other ways, it works like
/// ``expectSnapshot(of:named:function:fileID:filePath:line:column:)``.
///
/// - Parameters:
///   - text: The text, of any length.
///   - folder: The folder in `Snapshots`.
///   - name: The file's name, without `.txt`.
///   - fileID: The module and the file that a failure names.
///   - filePath: The path of the test's source file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
public func expectSnapshot(
  of text: String, in folder: String, named name: String, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  SnapshotComparison(of: text, in: folder, named: [name], at: location).report()
}
