/// An error that is told from others by its text: `.failure("no more")`.
package struct TestError: Error, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// What tells it from other test errors.
  package let description: String

  /// Makes an error that equals all others with the same text.
  package init(_ description: String) { self.description = description }

  /// Makes an error from a literal.
  package init(stringLiteral value: String) { self.init(value) }
}

/// Whether two errors are the same: by `==` if they have it, else by how they print.
///
/// Lets whole histories be compared where `Failure` is `any Error`.
func areEqual(_ first: any Error, _ second: any Error) -> Bool {
  equal(first, second) ?? (String(reflecting: first) == String(reflecting: second))
}

/// Looks at the error as `Any`: an `any Error` casts to `NSError` first, which is `Equatable` and
/// takes different errors for the same.
private func equal<First: Error>(_ first: First, _ second: any Error) -> Bool? {
  (first as Any as? any Equatable).map { isEqual($0, to: second) }
}

private func isEqual<Value: Equatable>(_ first: Value, to second: any Error) -> Bool {
  first == second as? Value
}
