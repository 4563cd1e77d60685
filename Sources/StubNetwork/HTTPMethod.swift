/// The method of a request, such as `GET`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The method's name in the request line.
  public let rawValue: String

  /// Makes a method from its name. Names are case-sensitive.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reads a resource.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Reads a resource's headers.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Sends data to a resource.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces a resource.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes part of a resource.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
}

extension HTTPMethod: ExpressibleByStringLiteral {
  /// Makes a method from a literal.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension HTTPMethod: CustomStringConvertible {
  /// The method's name in the request line.
  public var description: String { rawValue }
}
