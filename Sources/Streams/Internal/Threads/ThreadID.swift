#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads by number, as words that fit in an atomic.
@usableFromInline
enum ThreadID {
  /// No thread.
  @inlinable
  static var none: UInt { 0 }

  /// One thread or other.
  @inlinable
  static var some: UInt { 1 }

  /// No thread, and never again one.
  @inlinable
  static var invalid: UInt { .max }

  /// The thread that asks. Its lowest bit is clear: it is the address of a control block.
  @inlinable
  static var current: UInt {
    #if os(Linux)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
