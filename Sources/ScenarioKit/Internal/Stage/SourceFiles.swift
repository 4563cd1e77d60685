import Foundation
import Timeline

/// The source files of a scenario, as the stage shows them.
///
/// They are read when the stage is written, from the folder that the scenario was compiled in.
struct SourceFiles {
  /// A source file without the lines that only serve the project.
  struct File: Encodable, Equatable {
    struct Line: Encodable, Equatable {
      /// Its number in the file, from 1.
      let number: Int
      let text: String

      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(number)
        try container.encode(text)
      }
    }

    let name: String
    let lines: [Line]
  }

  private let folder: URL
  private let module: Substring
  /// The file of the pipeline, as `#fileID` gives it.
  let mainID: String

  /// - Parameter main: The scenario's `main.swift`, as `#filePath` and as `#fileID`.
  init(mainPath: String, mainID: String) {
    folder = URL(fileURLWithPath: mainPath).deletingLastPathComponent()
    self.mainID = mainID
    module = mainID.prefix { $0 != "/" }
  }

  /// Reads a file; `nil` if it belongs to another module or can't be read.
  ///
  /// - Parameter fileID: The file as `#fileID` gives it.
  func read(_ fileID: String) -> File? {
    let path = fileID.split(separator: "/", maxSplits: 1)
    guard path.count == 2, path[0] == module else { return nil }
    let url = folder.appendingPathComponent(String(path[1]))
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
    return File(name: String(path[1]), text: text)
  }
}

extension SourceFiles.File {
  /// Leaves out the marks of regions and the lanes, and makes notes plain comments.
  init(name: String, text: String) {
    var shown: [Line] = []
    var isInNote = false
    var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
    if rows.last?.isEmpty == true { rows.removeLast() }
    for (index, row) in rows.enumerated() {
      let indentation = row.prefix { $0 == " " }
      var content = row.dropFirst(indentation.count)
      if content.hasPrefix(".lane(") { continue }
      if ["// region:", "// endregion"].contains(where: content.hasPrefix) { continue }
      if content.hasPrefix("// note: ") {
        isInNote = true
        content = "// " + content.dropFirst("// note: ".count)
      } else if isInNote, content.hasPrefix("//   ") {
        content = "// " + content.dropFirst("//   ".count)
      } else {
        isInNote = false
      }
      // Two blank lines in a row are left where a mark stood between them.
      if content.isEmpty, shown.last?.text.isEmpty ?? true { continue }
      shown.append(Line(number: index + 1, text: String(indentation) + content))
    }
    self.init(name: name, lines: shown)
  }

  /// The line that shows an event: the line itself, or the operator above it.
  ///
  /// A lane has a line of its own in the source, and shows the output of the operator above it. If
  /// that one ends with a brace, its first line is meant.
  func shownLine(for number: Int) -> Int? {
    let code = lines.filter { line in
      line.number <= number && !line.text.isEmpty && !line.content.hasPrefix("//")
    }
    guard let last = code.last else { return nil }
    guard let first = last.content.first, "})]".contains(first) else { return last.number }
    return code.last { $0.indentation == last.indentation && $0.number < last.number }?.number
  }
}

extension SourceFiles.File.Line {
  fileprivate var indentation: Int { text.prefix { $0 == " " }.count }

  fileprivate var content: Substring { text.drop { $0 == " " } }
}
