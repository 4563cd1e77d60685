import Streams

extension StaticString {
  /// Makes a static string from text that's known only at run time. The text is never released.
  ///
  /// XCTest takes file names only as static strings, but the location of an issue has a `String`.
  /// Swift has no initializer for this, so it casts three numbers with the layout of a
  /// `StaticString`. If that changes, the cast traps, or `IssueReportingTests` fail, because XCTest
  /// reports another file.
  init(immortal text: String) {
    self = immortalStrings.withLock { strings in
      if let string = strings[text] { return string }
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = bytes.initialize(from: text.utf8)
      let string = unsafeBitCast(
        Literal(start: UInt(bitPattern: bytes.baseAddress), count: UInt(bytes.count)),
        to: StaticString.self)
      strings[text] = string
      return string
    }
  }
}

/// The stored properties of a `StaticString`. It's declared `@frozen`, so they're part of Swift's
/// ABI and don't change between versions.
private struct Literal {
  let start: UInt
  let count: UInt
  /// Zero: a pointer to UTF-8 that isn't known to be ASCII.
  let flags: UInt8 = 0
}

private let immortalStrings = Locked<[String: StaticString]>([:])
