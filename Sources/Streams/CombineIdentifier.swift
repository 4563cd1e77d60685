import Synchronization

/// What tells one subscriber or subscription from another.
///
/// Source of the rule: Combine's `CombineIdentifier`.
@frozen
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  @usableFromInline
  let rawValue: UInt64

  /// Makes an identifier that no other has.
  public init() {
    rawValue = combineIdentifiers.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Makes the identifier of an object: its address.
  @inlinable
  public init(_ obj: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
  }

  /// The identifier in hexadecimal, such as `0x2a`.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}

private let combineIdentifiers = Atomic<UInt64>(0)

/// A type that has a ``CombineIdentifier``; objects have one of their own accord.
public protocol CustomCombineIdentifierConvertible {
  /// What tells this from others in a stream.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's address.
  @inlinable
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
