import Synchronization

/// The part of a property's storage that doesn't know the type of the value: the publisher to tell
/// before a change, and the subject.
///
/// The subject is here without its type, because the `deinit` of a generic class looks up the
/// metadata of a generic type each time. That takes longer than all the rest of a short life.
class ObservedStorage {
  /// Set at most once, by any thread.
  final let willChange = SetOnce<ObservableObjectPublisher>()

  final let anySubject = SetOnce<AnyObject>()

  init() {}

  /// Sets the publisher to tell before a change, unless there is one.
  func install(_ publisher: ObservableObjectPublisher) {
    _ = willChange.set(publisher)
  }
}

/// Where a ``Published`` property keeps its value: here, or in a subject once there is one.
///
/// The value here belongs to the thread that uses the property. The subject has a lock. It's made
/// when `$` is used for the first time, and takes the value over. The storage is released with
/// the object, which ends the streams that were assigned to the property.
final class PropertyStorage<Value>: ObservedStorage {
  /// The value; `nil` once the subject has it.
  var ownValue: Value?

  init(_ value: Value) {
    ownValue = value
    super.init()
  }

  deinit { subject?.hub.cancelUpstreams() }

  var subject: PropertySubject<Value>? {
    get {
      guard let subject = anySubject.value else { return nil }
      return unsafeDowncast(subject, to: PropertySubject<Value>.self)
    }
  }

  var value: Value {
    get {
      let value = anySubject.use { unsafeDowncast($0, to: PropertySubject<Value>.self).value }
      if let value { return value }
      guard let ownValue else { preconditionFailure("a published property has lost its value") }
      return ownValue
    }
  }

  /// Publishes a new value, and then stores it.
  ///
  /// Subscribers may replace the wrapper, and so release its storage. So what's used after they
  /// have run is retained, and nothing else, because that would take longer than the rest.
  ///
  /// - Parameter storage: The storage. The caller keeps it until user code runs.
  static func publish(_ new: Value, in storage: Unmanaged<PropertyStorage>) {
    if let subject = storage._withUnsafeGuaranteedRef({ $0.subject }) {
      subject.send(new)
    } else if storage._withUnsafeGuaranteedRef({ $0.willChange.isSet }) {
      storage.takeUnretainedValue().announce(new)
    } else {
      storage._withUnsafeGuaranteedRef { $0.ownValue = new }
    }
  }

  /// Tells the publisher of the object, and then stores the value. A subscriber may have asked for
  /// the property's publisher meanwhile.
  func announce(_ new: Value) {
    willChange.use { $0.send() }
    if let subject { subject.sendAnnounced(new) } else { ownValue = new }
  }

  /// The subject, which is made if there is none.
  func makeSubject() -> PropertySubject<Value> {
    if let subject { return subject }
    guard let ownValue else { preconditionFailure("a published property has lost its value") }
    let made = unsafeDowncast(
      anySubject.set(PropertySubject(ownValue)), to: PropertySubject<Value>.self)
    self.ownValue = nil
    // Another thread may be installing a publisher. Either it finds the subject, or this thread
    // finds the publisher.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if let willChange = willChange.value { _ = made.willChange.set(willChange) }
    return made
  }

  override func install(_ publisher: ObservableObjectPublisher) {
    let installed = willChange.set(publisher)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if let subject { _ = subject.willChange.set(installed) }
  }
}
