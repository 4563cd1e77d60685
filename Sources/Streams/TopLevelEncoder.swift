/// A type that encodes a value as a complete piece of data, for `encode(encoder:)`.
///
/// Follows Combine's `TopLevelEncoder`.
public protocol TopLevelEncoder {
  /// The type of the encoded data, such as `Data`.
  associatedtype Output

  /// Encodes one value.
  ///
  /// - Parameter value: The value to encode.
  /// - Returns: The encoded data.
  /// - Throws: An error if the encoder can't encode the value.
  func encode<T>(_ value: T) throws -> Output where T: Encodable
}
