import Timeline

/// The text of a value or an error on one line, cut to a length that keeps reports short.
///
/// Strings stand in quotation marks, so that you can tell them from numbers and paste them.
func shortText(of value: Any) -> String {
  let text =
    switch value {
    case is String, is Substring, is Character: String(reflecting: value)
    default: stableText(value)
    }
  let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
  return line.count <= 60 ? line : line.prefix(59) + "…"
}

/// Whether two errors are equal: with `==` if they are `Equatable`, or else by their texts.
func areEqual(_ first: any Error, _ second: any Error) -> Bool {
  // Through `Any`, because an `any Error` would become an `NSError`, which equals too much.
  if let first = first as Any as? any Equatable { return isEqual(first, to: second) }
  return stableDebugText(first) == stableDebugText(second)
}

private func isEqual<Value: Equatable>(_ first: Value, to second: any Error) -> Bool {
  first == second as Any as? Value
}
