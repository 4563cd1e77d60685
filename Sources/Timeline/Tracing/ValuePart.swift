import Foundation

/// A value, or a part of one, such as a field or an element, together with what it's made of.
///
/// Parts are recognised without running code of the program: neither its `==` nor its `description`
/// is called, and an object's properties aren't read. Numbers and texts are compared, an object is
/// recognised by its identity, and everything else by its parts.
struct ValuePart {
  /// What equal parts have in common.
  indirect enum Key: Hashable {
    case known(ObjectIdentifier, AnyHashable)
    case object(ObjectIdentifier)
    case empty(ObjectIdentifier, name: String)
    case parts(ObjectIdentifier, [Key])
    case unordered(ObjectIdentifier, Set<Key>)
  }

  /// `nil` if it can't be recognised.
  private(set) var key: Key?

  /// Whether it says no more than yes or no, as a `Bool`, `nil` or a case without a payload does.
  let isFlag: Bool

  private(set) var parts: [ValuePart] = []

  private(set) var origins = Origins()

  /// Finds the parts of a value; `nil` if they are too many, or if there's only one.
  ///
  /// A value with one part is most likely a total, such as a number or a text.
  init?(structure value: Any) {
    var finder = Finder()
    let part = finder.part(value)
    guard finder.isStructure, finder.count <= Finder.limit else { return nil }
    self = part
  }

  /// Finds the parts of a value, all of which are made of the same.
  init?(_ value: Any, madeOf origins: Origins) {
    var finder = Finder()
    let part = finder.part(value)
    guard finder.count <= Finder.limit else { return nil }
    self = part.made(of: origins)
  }

  private init(_ key: Key?, isFlag: Bool = false, parts: [ValuePart] = []) {
    (self.key, self.isFlag, self.parts) = (key, isFlag, parts)
  }

  private func made(of origins: Origins) -> ValuePart {
    var part = self
    part.origins = origins
    part.parts = parts.map { $0.made(of: origins) }
    return part
  }

  /// The same part, with what it's made of: that of its copy among the sources, or else that of its
  /// own parts, and in the end everything.
  ///
  /// An object that isn't from a source may get other values later, so it isn't recognised again.
  func traced(to sources: inout Sources, orElse everything: Origins) -> ValuePart {
    if let copy = sources.next(equalTo: self) { return copy }
    var part = self
    if case .object = key { part.key = nil }
    if parts.isEmpty {
      part.origins = isFlag ? Origins() : everything
    } else {
      part.parts = parts.map { $0.traced(to: &sources, orElse: everything) }
      part.origins = part.parts.map(\.origins).joined()
      if part.parts.contains(where: { $0.key == nil }) { part.key = nil }
    }
    return part
  }

  /// The parts that others may be copies of.
  struct Sources {
    /// By key, newest first, and how many of them have been found.
    private var parts: [Key: (equal: [ValuePart], found: Int)] = [:]

    /// What's in the wrappers of the new value, such as the payload of an enumeration.
    private var new: ValuePart?

    /// The parts of a new value, and those of the value before.
    init(_ new: ValuePart? = nil, _ old: ValuePart? = nil) {
      if let new { add(new) }
      if let old { add(old) }
      self.new = new
      while let part = self.new?.parts.first, self.new?.parts.count == 1 { self.new = part }
    }

    private mutating func add(_ part: ValuePart) {
      if let key = part.key {
        var equal = parts[key]?.equal ?? []
        let latest = part.origins.events.last ?? 0
        let place = equal.firstIndex { ($0.origins.events.last ?? 0) < latest }
        equal.insert(part, at: place ?? equal.count)
        parts[key] = (equal, 0)
      }
      for part in part.parts { add(part) }
    }

    /// The newest equal part that isn't found yet, so two equal values of a pair are two sources.
    /// If there's none any more, it may be any of them.
    ///
    /// A part that holds a copy of the new value isn't a copy itself, even if it looks as before.
    fileprivate mutating func next(equalTo part: ValuePart) -> ValuePart? {
      guard let key = part.key, let (equal, found) = parts[key], !holdsNew(part) else { return nil }
      parts[key]?.found += 1
      return found < equal.count ? equal[found] : equal[0].made(of: equal.map(\.origins).joined())
    }

    private func holdsNew(_ part: ValuePart) -> Bool {
      guard let new = new?.key else { return false }
      return part.key != new && part.parts.contains { $0.key == new || holdsNew($0) }
    }
  }

  /// Looks into a value.
  private struct Finder {
    /// The largest number of parts. For each value of a `scan`, each part takes about ten
    /// microseconds in a debug build.
    static let limit = 50

    var count = 0
    /// Whether there's something with several parts, or that could have several.
    var isStructure = false

    mutating func part(_ value: Any) -> ValuePart {
      count += 1
      // The cast looks into optionals, which is fine here.
      if let known = value as? any KnownEquality {
        return ValuePart(known.key, isFlag: known is Bool)
      }
      let type = ObjectIdentifier(Swift.type(of: value))
      if let object = object(of: value) { return ValuePart(.object(ObjectIdentifier(object))) }
      if hasOwnMirror(value) { return ValuePart(nil) }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .collection, .dictionary, .set: isStructure = true
      case .enum where mirror.children.isEmpty:
        if hasOwnText(value) { return ValuePart(nil) }
        return ValuePart(.empty(type, name: "\(value)"), isFlag: true)
      case .struct, .tuple, .enum, .optional: break
      default: return ValuePart(nil)
      }
      if mirror.children.isEmpty { return ValuePart(.empty(type, name: ""), isFlag: true) }
      if mirror.children.count > 1 { isStructure = true }
      guard count + mirror.children.count <= Self.limit else {
        count = .max / 2
        return ValuePart(nil)
      }
      let parts = mirror.children.map { part($0.value) }
      let keys = parts.compactMap(\.key)
      let isOrdered = mirror.displayStyle != .set && mirror.displayStyle != .dictionary
      let key: Key = isOrdered ? .parts(type, keys) : .unordered(type, Set(keys))
      return ValuePart(keys.count == parts.count ? key : nil, parts: parts)
    }
  }
}

/// A type whose `==` is a library's, so that comparing two values runs no code of the program.
protocol KnownEquality: Hashable {}

extension KnownEquality {
  fileprivate var key: ValuePart.Key { .known(ObjectIdentifier(Self.self), AnyHashable(self)) }
}

extension Substring: KnownEquality {}
extension Data: KnownEquality {}
extension Date: KnownEquality {}
extension Decimal: KnownEquality {}
extension URL: KnownEquality {}
extension UUID: KnownEquality {}
