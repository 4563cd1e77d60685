import Foundation

let outcome = WeaveCommand.run(
  Array(CommandLine.arguments.dropFirst()),
  in: DiskTree(root: URL(fileURLWithPath: ".", isDirectory: true)))
for line in outcome.output { print(line) }
for line in outcome.errors { FileHandle.standardError.write(Data((line + "\n").utf8)) }
exit(outcome.status)
