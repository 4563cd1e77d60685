@_spi(Reflection) import Swift

/// Finds the ``Published`` properties of a class, and makes the publisher that all of them tell
/// before a change.
///
/// **Once per class.** `_forEachField` lists the types and offsets of a class's stored properties,
/// those of its superclasses included. It isn't a public function of Swift, but a `Mirror` wouldn't
/// do: it copies the value of each property. You may ask for the publisher on any thread, so that
/// copy could meet a change on another one. It also traps if an `unowned` object has gone, takes
/// tens of microseconds for each object, and shows what a custom mirror wants to show. Here nothing
/// is read but the wrappers.
///
/// If a version of Swift doesn't have the function, this doesn't compile. If it changes what the
/// function does, the first call of `objectWillChange` traps, or `ObservableObjectTests` fail.
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
      (self.object, self.publisher) = (object, publisher)
      identifier = ObjectIdentifier(publisher)
    }
  }

  /// A published property of a class.
  private struct Field {
    let wrapper: any ObservedProperty.Type
    /// The place of the wrapper in an instance.
    let offset: Int
  }

  private struct State {
    /// The published properties by class.
    var fields: [ObjectIdentifier: [Field]] = [:]
    /// The publishers of objects without published properties.
    var entries: [ObjectIdentifier: Entry] = [:]
  }

  private static let state = Locked(State())

  /// The publisher of an object: the same one every time.
  static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let fields = fields(of: type(of: object))
    return fields.isEmpty
      ? tablePublisher(of: object)
      : installedPublisher(in: places(of: object, in: fields))
  }

  // MARK: With published properties

  private static func fields(of type: AnyClass) -> [Field] {
    let key = ObjectIdentifier(type)
    if let known = state.withLock({ $0.fields[key] }) { return known }
    var found: [Field] = []
    let isComplete = _forEachField(of: type, options: ofClass) { _, offset, type, _ in
      if let wrapper = type as? any ObservedProperty.Type {
        found.append(Field(wrapper: wrapper, offset: offset))
      }
      return true
    }
    precondition(isComplete, "this version of Swift doesn't list the properties of \(type)")
    return state.withLock { state in
      state.fields[key] = found
      return found
    }
  }

  /// `_EachFieldOptions.classType`, which Swift 6 doesn't let us read, because it's a variable.
  /// With any other value, the function refuses a class.
  private static let ofClass = _EachFieldOptions(rawValue: 1)

  private static func places(of object: AnyObject, in fields: [Field]) -> [WillChange] {
    withExtendedLifetime(object) {
      let start = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
      return fields.map { $0.wrapper.willChange(ofWrapperAt: start + $0.offset) }
    }
  }

  private static func installedPublisher(in places: [WillChange]) -> ObservableObjectPublisher {
    // The first property decides if two threads come at the same time.
    let known = places.lazy.compactMap { place in place.withLock { $0 } }.first
    let publisher = install(known ?? ObservableObjectPublisher(), in: places[0])
    for place in places.dropFirst() { _ = install(publisher, in: place) }
    return publisher
  }

  /// Installs a publisher, unless there is one.
  ///
  /// - Returns: The publisher that is there now.
  private static func install(
    _ new: ObservableObjectPublisher, in place: WillChange
  ) -> ObservableObjectPublisher {
    place.withLock { publisher in
      if let publisher { return publisher }
      publisher = new
      return new
    }
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
    state.withLock { $0.fields[ObjectIdentifier(type)] != nil }
  }
}

/// Marks ``Published``, whatever its value's type.
protocol ObservedProperty {
  /// The place where the wrapper at an address keeps the publisher to tell.
  static func willChange(ofWrapperAt address: UnsafeRawPointer) -> WillChange
}

extension Published: ObservedProperty {
  static func willChange(ofWrapperAt address: UnsafeRawPointer) -> WillChange {
    address.load(as: Self.self).storage.willChange
  }
}
