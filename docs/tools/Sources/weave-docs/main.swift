import Foundation

let outcome = WeaveCommand.run(Array(CommandLine.arguments.dropFirst())) { root in
  DiskTree(root: URL(fileURLWithPath: root, isDirectory: true))
}
for line in outcome.output { print(line) }
for line in outcome.errors { FileHandle.standardError.write(Data((line + "\n").utf8)) }
exit(outcome.status)
