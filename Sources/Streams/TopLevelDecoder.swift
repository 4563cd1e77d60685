/// A type that turns a whole piece of data into a value, for `decode(type:decoder:)`.
///
/// Source of the rule: Combine's `TopLevelDecoder`.
public protocol TopLevelDecoder {
  /// What is decoded, such as `Data`.
  associatedtype Input

  /// Decodes one value.
  ///
  /// - Parameters:
  ///   - type: The kind of value.
  ///   - from: What to decode it from.
  /// - Returns: The value.
  /// - Throws: If the input holds no such value.
  func decode<T>(_ type: T.Type, from: Input) throws -> T where T: Decodable
}
