#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Thread IDs, as words that fit in an atomic.
@usableFromInline enum ThreadID {
  /// No thread.
  @inlinable static var none: UInt { 0 }

  /// The calling thread.
  @inlinable static var current: UInt {
    #if os(Linux)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// The bits that are clear in every ID, so that a word has room for flags next to it.
  ///
  /// A C library makes the ID from the address of the thread's control block. That block contains
  /// pointers, so its address is a multiple of their size. Each gate and
  /// hand-over checks that when it's made, because no standard promises it.
  @inlinable static var freeBits: UInt { 3 }

  @inlinable static var hasFreeBits: Bool { current & freeBits == 0 }
}
