/// The publisher that an object's properties tell before each change, once its `objectWillChange`
/// has been used, which any thread may do.
typealias WillChange = Locked<ObservableObjectPublisher?>

/// Where a ``Published`` property keeps its value: here, or in a subject once there is one.
///
/// The subject is made when `$` is used for the first time, and takes the value over. It has a
/// lock. Before, the value belongs to the thread that uses the property. The storage is released
/// with the object, which ends the streams that were assigned to the property.
final class PropertyStorage<Value> {
  private enum Place {
    case here(Value)
    case subject(PropertySubject<Value>)
  }

  private var place: Place

  /// The subject tells the same publisher.
  let willChange = WillChange(nil)

  init(_ value: Value) { place = .here(value) }

  deinit {
    if case .subject(let subject) = place { subject.hub.cancelUpstreams() }
  }

  /// Whether `$` has been used, for tests.
  var hasSubject: Bool {
    if case .subject = place { true } else { false }
  }

  var value: Value {
    switch place {
    case .here(let value): value
    case .subject(let subject): subject.value
    }
  }

  /// Publishes a new value, and then stores it.
  func publish(_ new: Value) {
    willChange.withLock { $0 }?.send()
    // A subscriber may have asked for the property's publisher just now.
    switch place {
    case .here:
      // The old value is released after the access, because its `deinit` may use the property.
      _ = exchange(&place, with: .here(new))
    case .subject(let subject): subject.sendAnnounced(new)
    }
  }

  /// The subject, which is made if there is none.
  func makeSubject() -> PropertySubject<Value> {
    switch place {
    case .here(let value):
      let subject = PropertySubject(value, willChange: willChange)
      place = .subject(subject)
      return subject
    case .subject(let subject): return subject
    }
  }
}
