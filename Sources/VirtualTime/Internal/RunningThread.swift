#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread, to be told from others and named in reports.
struct RunningThread: Hashable, Sendable {
  private let id: UInt

  /// The thread this is called on.
  static var current: RunningThread {
    #if canImport(Darwin)
      RunningThread(id: UInt(bitPattern: pthread_self()))
    #else
      RunningThread(id: UInt(pthread_self()))
    #endif
  }
}

extension RunningThread: CustomStringConvertible {
  var description: String { "thread 0x\(String(id, radix: 16))" }
}
