/// A type that turns a value into a whole piece of data, for `encode(encoder:)`.
///
/// Source of the rule: Combine's `TopLevelEncoder`.
public protocol TopLevelEncoder {
  /// What values become, such as `Data`.
  associatedtype Output

  /// Encodes one value.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its encoded form.
  /// - Throws: If this encoder has no form for the value.
  func encode<T>(_ value: T) throws -> Output where T: Encodable
}
