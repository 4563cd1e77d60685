/// A property wrapper that makes a property of a class publish its changes.
///
/// Write `$` before the property's name to get a publisher of its values. Subscribers receive a new
/// value *before* the property changes, so while they run, reading the property gives the old one.
/// If the class is an ``ObservableObject``, its `objectWillChange` publishes even earlier.
///
/// - **Demand:** a subscriber's first request brings the current value. A subscriber that misses
///   values for lack of demand gets the newest one, once, when it requests again.
/// - **Completion:** the publisher never completes, also not when the object is released.
/// - **Threads:** use the property and its `$` from one thread at a time, as any other property.
///   On a publisher that you have got from `$` you may subscribe, request and cancel from any
///   thread. After the first `$`, the value itself is guarded by a lock too.
/// - **Setting the property from within a delivery:** the inner change is published first, and then
///   overwritten by the outer one, because the property changes only after the delivery.
///
/// Setting the property always publishes, also when the new value equals the old one. An unused `$`
/// costs nothing: there is a subject only once you have asked for the publisher.
///
/// ```
/// final class Weather {
///   @Published var temperature = 20
/// }
/// let weather = Weather()
/// let cancellable = weather.$temperature.sink { print($0, weather.temperature) }
/// weather.temperature = 25
/// // Prints "20 20", "25 20"
/// ```
///
/// Source of the rules: Combine's `Published`.
@propertyWrapper public struct Published<Value> {
  /// A copy of the wrapper shares it.
  let storage: PropertyStorage<Value>

  /// Makes a property with an initial value. Write `@Published var name = …` instead.
  ///
  /// - Parameter wrappedValue: The initial value.
  public init(wrappedValue: Value) { storage = PropertyStorage(wrappedValue) }

  /// Makes a property with an initial value. Write `@Published var name = …` instead.
  ///
  /// - Parameter initialValue: The initial value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// The publisher of the property's values, which you get by writing `$` before its name.
  ///
  /// It can be set only so that `assign(to: &$property)` compiles. Setting it does nothing.
  public var projectedValue: Publisher {
    // Combine's is mutating too, and a `let` wrapper would have nothing to publish.
    mutating get { Publisher(subject: storage.makeSubject()) }
    set { _ = newValue }
  }

  /// Not available: the wrapper works on properties of classes only, because a subscriber can't
  /// observe a value that is copied.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError("@Published is only available on properties of classes") }
    set { fatalError("@Published is only available on properties of classes") }
  }

  /// Reads and sets the property. The compiler calls this when you use the property by its name.
  ///
  /// Setting it publishes the new value and then stores it.
  ///
  /// - Parameters:
  ///   - object: The object with the property.
  ///   - wrappedKeyPath: The property.
  ///   - storageKeyPath: The property's wrapper.
  public static subscript<EnclosingSelf>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value where EnclosingSelf: AnyObject {
    // Each only reads the wrapper, which is done before subscribers run. So they may use the
    // property themselves. They may also replace the wrapper, so a set keeps the storage.
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.publish(newValue) }
  }
}
