import Foundation
import Streams

/// Writes the text of a value by its structure, as `stableText(_:)` explains.
///
/// It follows the rules of Swift's `print`. Values inside of others are nested: strings have
/// quotation marks then, and types the names of their modules.
///
/// It ends soon: it goes into no objects but Foundation's collections, and it has limits. They
/// don't depend on the order in which a collection is read.
struct ValueDescriber {
  private static let depthLimit = 100
  private static let partLimit = 100_000

  private var depth = 0
  private var partCount = 0

  private init() {}

  /// The text of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isNested: Whether it's a part of another one.
  static func text(of value: Any, isNested: Bool) -> String {
    var describer = ValueDescriber()
    let text = describer.text(of: value, isNested: isNested)
    guard describer.partCount > partLimit else { return text }
    return "\(name(of: type(of: value), isNested: isNested)) with more than \(partLimit) parts"
  }

  /// The text of a part.
  mutating func text(of value: Any, isNested: Bool) -> String {
    partCount += 1
    guard depth < Self.depthLimit, partCount <= Self.partLimit else { return "…" }
    depth += 1
    defer { depth -= 1 }
    // Before any cast to a type that has parts: a cast looks into optionals and `AnyHashable`.
    if let value = value as? any Structured { return value.text(isNested: isNested, &self) }
    let object = object(of: value)
    if let text = foundationText(of: value, object) { return text }
    if hasOwnText(value) {
      let text = isNested ? String(reflecting: value) : String(describing: value)
      return (object.map { text.withoutAddress(of: $0) } ?? text).withoutContexts
    }
    return textByMirror(value, isNested: isNested)
  }

  /// Texts of parts in brackets.
  mutating func list(_ values: some Sequence<Any>) -> String {
    var texts: [String] = []
    for value in values where partCount <= Self.partLimit {
      texts.append(text(of: value, isNested: true))
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  /// Texts of parts without an order, sorted and in brackets.
  mutating func sortedList(_ values: some Sequence<Any>) -> String {
    "[\(sorted(values) { ($0, nil) }.joined(separator: ", "))]"
  }

  /// Texts of keys and values without an order, sorted and in brackets.
  mutating func sortedList(_ pairs: some Sequence<(Any, Any)>) -> String {
    let texts = sorted(pairs) { ($0.0, $0.1) }
    return texts.isEmpty ? "[:]" : "[\(texts.joined(separator: ", "))]"
  }

  private mutating func sorted<Element>(
    _ elements: some Sequence<Element>, _ parts: (Element) -> (key: Any, value: Any?)
  ) -> [String] {
    var entries: [SortedEntry] = []
    for element in elements where partCount <= Self.partLimit {
      let (key, value) = parts(element)
      let text = text(of: key, isNested: true)
      entries.append(
        SortedEntry(
          number: number(key), key: text,
          text: value.map { "\(text): \(self.text(of: $0, isNested: true))" } ?? text))
    }
    return entries.sorted().map(\.text)
  }

  // MARK: By mirror

  private mutating func textByMirror(_ value: Any, isNested: Bool) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .tuple:
      return "(\(fields(mirror)))"
    case .struct:
      return Self.name(of: mirror.subjectType, isNested: isNested) + "(\(fields(mirror)))"
    case .enum:
      return enumText(value, mirror, isNested: isNested)
    case .optional:
      guard let (_, content) = mirror.children.first else { return "nil" }
      return "Optional(\(text(of: content, isNested: true)))"
    case nil:
      // A function, a metatype, or a summary such as `(Opaque Value)`.
      return (isNested ? String(reflecting: value) : String(describing: value)).withoutContexts
    default:
      return Self.name(of: mirror.subjectType, isNested: true)
    }
  }

  private mutating func fields(_ mirror: Mirror) -> String {
    let isTuple = mirror.displayStyle == .tuple
    let fields = mirror.children.compactMap { label, value -> String? in
      guard isTuple || label != nil else { return nil }
      let text = text(of: value, isNested: true)
      // A tuple's element without a label is called `.0`.
      guard let label, !(isTuple && (label.isEmpty || label.hasPrefix("."))) else { return text }
      return "\(label): \(text)"
    }
    return fields.joined(separator: ", ")
  }

  private mutating func enumText(_ value: Any, _ mirror: Mirror, isNested: Bool) -> String {
    guard let (label, payload) = mirror.children.first else {
      return (isNested ? String(reflecting: value) : String(describing: value)).withoutContexts
    }
    // A mirror of the user's own may call its children as it likes.
    let name =
      value is any CustomReflectable
      ? String(String(describing: value).prefix { $0 != "(" }) : label ?? ""
    let type = isNested ? Self.name(of: mirror.subjectType, isNested: true) + "." : ""
    let text = text(of: payload, isNested: true)
    let isTuple = Mirror(reflecting: payload).displayStyle == .tuple && text.hasPrefix("(")
    return type + name + (isTuple ? text : "(\(text))")
  }

  /// The name of a type, with that of its module if the value is nested.
  static func name(of type: Any.Type, isNested: Bool) -> String {
    (isNested ? String(reflecting: type) : String(describing: type)).withoutContexts
  }
}

/// The object that a value is; `nil` if it's none.
func object(of value: Any) -> AnyObject? {
  guard type(of: value) is AnyClass else { return nil }
  // The value of a mirror may be an `any Error`, and its type is that of the error then. Cast to an
  // object, the box around the error would be taken for it, which ends the program (Swift 6.3).
  if let error = value as? any Error { return error as AnyObject }
  return value as AnyObject
}

/// Whether a type says itself how a value is described.
func hasOwnText(_ value: Any) -> Bool {
  value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    || value is any TextOutputStreamable
}

/// Whether a mirror of the value runs code of the program.
func hasOwnMirror(_ value: Any) -> Bool {
  value is any CustomReflectable && !(type(of: value) is any Structured.Type)
}

/// A number to sort by; `nil` for everything else.
private func number(_ value: Any) -> Double? {
  let number: Double? =
    switch value {
    case let value as any BinaryInteger: Double(value)
    case let value as any BinaryFloatingPoint: Double(value)
    case let value as NSNumber: value.doubleValue
    default: nil
    }
  return number.flatMap { $0.isNaN ? nil : $0 }
}

/// An element of a collection without an order, or a key and its value.
private struct SortedEntry: Comparable {
  let number: Double?
  let key: String
  let text: String

  /// Numbers come first, by size.
  static func < (lhs: Self, rhs: Self) -> Bool {
    switch (lhs.number, rhs.number) {
    case (let first?, let second?) where first != second: first < second
    case (.some, nil): true
    case (nil, .some): false
    default: (lhs.key, lhs.text) < (rhs.key, rhs.text)
    }
  }
}

extension String {
  /// The text without the places in memory that stand for functions and files in names of types,
  /// such as `(unknown context at $55d0c1a2b3c4).`
  var withoutContexts: String {
    guard utf8.contains(UInt8(ascii: "$")), contains("(unknown context at $") else { return self }
    return replacing(#/\(unknown context at \$[0-9a-f]+\)\./#, with: "")
  }

  /// The text without the address of an object, as in `<Loader: 0x000055d0c1a2b3c4>`.
  fileprivate func withoutAddress(of object: AnyObject) -> String {
    // The addresses in a key path are those of functions.
    if object is AnyKeyPath { return replacing(#/ 0x[0-9a-f]+/#, with: "") }
    guard contains("0x") else { return self }
    let digits = String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    return replacing(#/:? ?0x0*([0-9a-f]+)/#) { match in
      match.output.1 == digits ? "" : String(match.output.0)
    }
  }
}

// MARK: Types whose own text isn't the same in every run, or may hold such a text

/// A type of the standard library whose text is made here instead of by its own `description`.
private protocol Structured {
  func text(isNested: Bool, _ describer: inout ValueDescriber) -> String
}

/// A type whose own text is always the same. An array of many is described in one go.
private protocol Plain: KnownEquality {}

extension Int: Plain {}
extension Int8: Plain {}
extension Int16: Plain {}
extension Int32: Plain {}
extension Int64: Plain {}
extension UInt: Plain {}
extension UInt8: Plain {}
extension UInt16: Plain {}
extension UInt32: Plain {}
extension UInt64: Plain {}
extension Float: Plain {}
extension Double: Plain {}
extension Bool: Plain {}
extension Character: Plain {}
extension String: Plain, Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    // It may be the name of a type, or an error's `localizedDescription`, which has one.
    (isNested ? String(reflecting: self) : self).withoutContexts
  }
}

extension Subscribers.Completion: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    switch self {
    case .finished: "finished"
    case .failure(let error): "failure(\(describer.text(of: error, isNested: false)))"
    }
  }
}

extension Optional: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    map { "Optional(\(describer.text(of: $0, isNested: true)))" } ?? "nil"
  }
}

extension AnyHashable: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let text = describer.text(of: base, isNested: isNested)
    return isNested ? "AnyHashable(\(text))" : text
  }
}

extension Array: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    if Element.self is any Plain.Type { return String(describing: self).withoutContexts }
    return describer.list(lazy.map { $0 as Any })
  }
}

extension ArraySlice: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let list = Array(self).text(isNested: true, &describer)
    return isNested ? "ArraySlice(\(list))" : list
  }
}

extension ContiguousArray: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let list = Array(self).text(isNested: true, &describer)
    return isNested ? "ContiguousArray(\(list))" : list
  }
}

extension CollectionOfOne: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    "CollectionOfOne(\(describer.text(of: self[startIndex], isNested: true)))"
  }
}

extension Set: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let list = describer.sortedList(lazy.map { $0 as Any })
    return isNested ? "Set(\(list))" : list
  }
}

extension Dictionary: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    describer.sortedList(lazy.map { ($0.key as Any, $0.value as Any) })
  }
}

extension Dictionary.Keys: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let list = describer.sortedList(lazy.map { $0 as Any })
    return isNested ? "Dictionary.Keys(\(list))" : list
  }
}

extension Dictionary.Values: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let list = describer.sortedList(lazy.map { $0 as Any })
    return isNested ? "Dictionary.Values(\(list))" : list
  }
}

extension KeyValuePairs: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let pairs = map { key, value in
      "\(describer.text(of: key, isNested: true)): \(describer.text(of: value, isNested: true))"
    }
    return pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
  }
}

extension Range: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let lower = describer.text(of: lowerBound, isNested: isNested)
    let text = "\(lower)..<\(describer.text(of: upperBound, isNested: isNested))"
    return isNested ? "Range(\(text))" : text
  }
}

extension ClosedRange: Structured {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    let lower = describer.text(of: lowerBound, isNested: isNested)
    let text = "\(lower)...\(describer.text(of: upperBound, isNested: isNested))"
    return isNested ? "ClosedRange(\(text))" : text
  }
}

/// A place in memory, or something else that's another one in each run: its type is its text.
private protocol Unrepeatable: Structured {}

extension Unrepeatable {
  fileprivate func text(isNested: Bool, _ describer: inout ValueDescriber) -> String {
    ValueDescriber.name(of: Self.self, isNested: isNested)
  }
}

extension ObjectIdentifier: Unrepeatable {}
extension CombineIdentifier: Unrepeatable {}
extension UnsafePointer: Unrepeatable {}
extension UnsafeMutablePointer: Unrepeatable {}
extension UnsafeRawPointer: Unrepeatable {}
extension UnsafeMutableRawPointer: Unrepeatable {}
extension UnsafeBufferPointer: Unrepeatable {}
extension UnsafeMutableBufferPointer: Unrepeatable {}
extension UnsafeRawBufferPointer: Unrepeatable {}
extension UnsafeMutableRawBufferPointer: Unrepeatable {}
extension OpaquePointer: Unrepeatable {}
extension Dictionary.Index: Unrepeatable {}
extension Set.Index: Unrepeatable {}
