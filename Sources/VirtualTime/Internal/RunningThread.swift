#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The identity of a thread, to compare threads and to name them in reports.
package struct RunningThread: Hashable, Sendable {
  private let id: UInt

  /// The thread this is called on.
  package static var current: RunningThread {
    #if canImport(Darwin)
      RunningThread(id: UInt(bitPattern: pthread_self()))
    #else
      RunningThread(id: UInt(pthread_self()))
    #endif
  }
}

extension RunningThread: CustomStringConvertible {
  package var description: String { "thread 0x\(String(id, radix: 16))" }
}
