/// An error that is identified by its text: `.failure("no more")`.
package struct TestError: Error, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text that identifies the error.
  package let description: String

  /// Makes an error. It equals every other error with the same text.
  package init(_ description: String) { self.description = description }

  /// Makes an error from a literal.
  package init(stringLiteral value: String) { self.init(value) }
}

/// Whether two errors are equal: by `==` if they're `Equatable`, or else by their debug texts.
///
/// With this, tests can compare whole histories even if `Failure` is `any Error`.
func areEqual(_ first: any Error, _ second: any Error) -> Bool {
  equal(first, second) ?? (String(reflecting: first) == String(reflecting: second))
}

/// Casts the error through `Any`. An `any Error` would become an `NSError` first, which is
/// `Equatable` and treats different errors as equal.
private func equal<First: Error>(_ first: First, _ second: any Error) -> Bool? {
  (first as Any as? any Equatable).map { isEqual($0, to: second) }
}

private func isEqual<Value: Equatable>(_ first: Value, to second: any Error) -> Bool {
  first == second as? Value
}
