// Prints how long this library and OpenCombine take for the same work, compared with a plain loop
// that calls the same closures. All three are measured alternately in one run, in processor time.
// Nanoseconds depend on the machine, so read the ratios.
//
//     make bench-peers
//     make bench-peers ARGS=scan                  (only workloads with this in their name)
//     make bench-peers ARGS='--page docs/performance.md'    (writes the tables into the page)

import Foundation
import OpenCombineWorkloads
import OurWorkloads
import PeerSupport

// While a process has had only one thread, glibc locks without atomic operations. Programs with
// streams have several. So all is measured as it is with threads.
let thread = Thread {}
thread.start()
while !thread.isFinished { usleep(1000) }

do {
  try BenchPeers(arguments: Array(CommandLine.arguments.dropFirst())).run()
} catch {
  FileHandle.standardError.write(Data("bench-peers: \(error)\n".utf8))
  exit(error is UsageError ? 64 : 1)
}
