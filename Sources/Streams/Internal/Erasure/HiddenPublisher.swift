/// Holds the publisher inside an ``AnyPublisher``.
///
/// Hidden publishers can contain each other, tens of thousands of levels deep. So that their release
/// needs a constant stack, one that goes while another goes on the same thread is released behind
/// that one.
@usableFromInline
final class HiddenPublisher<Hidden: Publisher> {
  // Changes only while this object goes.
  @exclusivity(unchecked)
  @usableFromInline
  var publisher: Hidden?

  @inlinable
  init(_ publisher: Hidden) { self.publisher = publisher }

  @inlinable
  deinit {
    if Trampoline.beginRelease() {
      publisher = nil
      Trampoline.endRelease()
    } else if let publisher = publisher.take() {
      Trampoline.releaseLater(publisher)
    }
  }

  @inlinable
  @inline(__always)
  func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Hidden.Output, S.Failure == Hidden.Failure {
    publisher?.attach(subscriber)
  }
}
