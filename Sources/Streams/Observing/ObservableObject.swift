/// A class that tells its subscribers before it changes.
///
/// You needn't implement anything. The default `objectWillChange` publishes before each change of a
/// ``Published`` property of the class or its superclasses.
///
/// ```
/// final class Contact: ObservableObject {
///   @Published var name = "Ada"
///   @Published var age = 36
/// }
/// let contact = Contact()
/// let cancellable = contact.objectWillChange.sink { print("\(contact.age) will change") }
/// contact.age += 1
/// // Prints "36 will change"
/// ```
///
/// If you implement `objectWillChange` yourself, it publishes only when you send, and your
/// ``Published`` properties don't.
///
/// Source of the rules: Combine's `ObservableObject`.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher that publishes before a change.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes before a ``Published`` property of the object changes, and when you send to it.
  ///
  /// It's always the same publisher for the same object, also for an object without ``Published``
  /// properties. It never completes.
  ///
  /// - **Cost:** the properties are looked up once per class. Setting a property takes a lock for a
  ///   moment, also before you ask for this publisher.
  /// - **Threads:** ask for it, subscribe and cancel on any thread.
  public var objectWillChange: ObservableObjectPublisher { ObservedClasses.publisher(of: self) }
}
