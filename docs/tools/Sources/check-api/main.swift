import Foundation

let outcome = CheckCommand.run(Array(CommandLine.arguments.dropFirst()))
for line in outcome.errors { FileHandle.standardError.write(Data((line + "\n").utf8)) }
for line in outcome.output { print(line) }
exit(outcome.status)
