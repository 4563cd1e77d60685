/// A type that decodes a value from a complete piece of data, for `decode(type:decoder:)`.
///
/// Follows Combine's `TopLevelDecoder`.
public protocol TopLevelDecoder {
  /// The type of the encoded data, such as `Data`.
  associatedtype Input

  /// Decodes one value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - from: The data to decode.
  /// - Returns: The value.
  /// - Throws: An error if the data doesn't hold a value of that type.
  func decode<T>(_ type: T.Type, from: Input) throws -> T where T: Decodable
}
