// Runs operators for every arrangement of their input marbles, and writes a table of the outcomes
// for each of the pages whose marbles a reader can move.
//
// Usage: run-marbles FOLDER

import Foundation

func fail(_ problem: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("run-marbles: \(problem)\n".utf8))
  exit(status)
}

guard CommandLine.arguments.count == 2 else { fail("usage: run-marbles FOLDER", status: 64) }
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
var runs = 0
do {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  for diagram in diagrams {
    let table = try Table(diagram)
    runs += table.runs.count
    try encoder.encode(table).write(to: folder.appendingPathComponent("\(diagram.name).json"))
  }
} catch { fail("\(error)", status: 1) }
print("run-marbles: \(diagrams.count) operators, \(runs) runs")
