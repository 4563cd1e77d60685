import NIOCore
import NIOPosix

/// Threads for the database, which blocks: some that only read, and some that also write.
///
/// So a change that waits for another program doesn't keep a thread from those that read.
struct DatabaseThreads: Sendable {
  /// The number of threads that only read.
  static let readers = max(2, System.coreCount)
  /// The number of threads that write. One may wait for another program. The other one refuses what
  /// comes in the meantime.
  private static let writers = 2

  private let reading = NIOThreadPool(numberOfThreads: Self.readers)
  private let writing = NIOThreadPool(numberOfThreads: Self.writers)

  /// Starts the threads.
  init() {
    reading.start()
    writing.start()
  }

  /// Runs some work that only reads.
  func read<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result {
    try await reading.runIfActive(work)
  }

  /// Runs some work that may write.
  func write<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result {
    try await writing.runIfActive(work)
  }

  /// Ends the threads. Work that still waits isn't done: its calls throw.
  func close() async {
    try? await reading.shutdownGracefully()
    try? await writing.shutdownGracefully()
  }
}
