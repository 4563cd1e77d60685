#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Thread IDs, as words that fit in an atomic.
@usableFromInline
enum ThreadID {
  /// No thread.
  @inlinable
  static var none: UInt { 0 }

  /// The calling thread. Its lowest bits are clear, because it's the address of a control block.
  @inlinable
  static var current: UInt {
    #if os(Linux)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
