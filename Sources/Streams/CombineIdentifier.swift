import Synchronization

/// An identifier that distinguishes subscribers and subscriptions from each other.
///
/// Follows Combine's `CombineIdentifier`.
@frozen public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  @usableFromInline let rawValue: UInt64

  /// Creates an identifier that no other call of this initializer returns.
  public init() {
    rawValue = combineIdentifiers.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Creates the identifier of an object, which is its address.
  @inlinable
  public init(_ obj: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
  }

  /// The identifier in hexadecimal, such as `0x2a`.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}

private let combineIdentifiers = Atomic<UInt64>(0)

/// A type with a ``CombineIdentifier``. Classes have one by default.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier of this subscriber or subscription.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's address.
  @inlinable public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
