@_spi(Reflection) import Swift

/// Finds the ``Published`` properties of a class, and makes the publisher that all of them tell
/// before a change.
///
/// **Once per class.** The offsets of the properties in an instance come from the runtime's own
/// records, not from a `Mirror`. So a custom mirror has no influence, and superclasses and generic
/// classes need no special treatment.
///
/// **Once per instance.** The properties keep the publisher. If there are none, it goes into a
/// table by address, which keeps neither the object nor the publisher alive. The publisher takes
/// itself out when it's released. Until then its subscribers keep it, and without any of them you
/// couldn't tell a new one from the old one. An object at the address of an earlier one gets its
/// own, because the weak reference knows its object.
///
/// Any thread may call these. Nothing is released under the lock.
enum ObservedClasses {
  // An object, because copying a weak reference to an object that is being released can crash.
  private final class Entry {
    weak let object: AnyObject?
    weak let publisher: ObservableObjectPublisher?
    let identifier: ObjectIdentifier

    init(_ publisher: ObservableObjectPublisher, of object: AnyObject) {
      self.object = object
      self.publisher = publisher
      identifier = ObjectIdentifier(publisher)
    }
  }

  private struct State {
    /// The offsets of the published properties by class.
    var offsets: [ObjectIdentifier: [Int]] = [:]
    /// The publishers of objects without published properties.
    var entries: [ObjectIdentifier: Entry] = [:]
  }

  private static let state = Locked(State())

  /// The publisher of an object: the same one every time.
  static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let offsets = offsets(in: type(of: object))
    return offsets.isEmpty
      ? tablePublisher(of: object)
      : installedPublisher(in: storages(of: object, at: offsets))
  }

  // MARK: With published properties

  private static func offsets(in type: AnyClass) -> [Int] {
    let key = ObjectIdentifier(type)
    if let known = state.withLock({ $0.offsets[key] }) { return known }
    var found: [Int] = []
    // This includes the superclasses.
    _ = _forEachField(of: type, options: ofClass) { _, offset, type, _ in
      if type is any ObservedProperty.Type { found.append(offset) }
      return true
    }
    return state.withLock { state in
      state.offsets[key] = found
      return found
    }
  }

  /// `_EachFieldOptions.classType`, which Swift 6 doesn't let us read, because it's a variable.
  private static let ofClass = _EachFieldOptions(rawValue: 1)

  private static func storages(of object: AnyObject, at offsets: [Int]) -> [ObservedStorage] {
    withExtendedLifetime(object) {
      let start = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
      // A wrapper consists of the reference to its storage.
      return offsets.map { start.load(fromByteOffset: $0, as: ObservedStorage.self) }
    }
  }

  private static func installedPublisher(
    in storages: [ObservedStorage]
  ) -> ObservableObjectPublisher {
    // The first property decides if two threads come at the same time.
    let known = storages.lazy.compactMap { $0.willChange.value }.first
    let publisher = storages[0].willChange.set(known ?? ObservableObjectPublisher())
    for storage in storages { storage.install(publisher) }
    return publisher
  }

  // MARK: Without published properties

  private static func tablePublisher(of object: AnyObject) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(object)
    // Made before locking, and thrown away if there is one.
    let new = ObservableObjectPublisher(owner: key)
    return state.withLock { state in
      // If its object is alive, it's this one: no other live object has the address.
      if let entry = state.entries[key], entry.object != nil, let known = entry.publisher {
        return known
      }
      state.entries[key] = Entry(new, of: object)
      return new
    }
  }

  /// Takes a publisher out of the table that is being released.
  static func forget(_ publisher: ObjectIdentifier, of object: ObjectIdentifier) {
    state.withLock { state in
      guard state.entries[object]?.identifier == publisher else { return }
      state.entries[object] = nil
    }
  }

  /// Whether the table has a publisher for an object, for tests.
  static func keepsPublisher(of object: AnyObject) -> Bool {
    state.withLock { $0.entries[ObjectIdentifier(object)] != nil }
  }

  /// Whether a class's properties have been looked up, for tests.
  static func knows(_ type: AnyClass) -> Bool {
    state.withLock { $0.offsets[ObjectIdentifier(type)] != nil }
  }
}

/// Marks ``Published``, whatever its value's type.
protocol ObservedProperty {}

extension Published: ObservedProperty {}
