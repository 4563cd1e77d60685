/// Holds the publisher inside an ``AnyPublisher``.
///
/// Hidden publishers can contain each other, tens of thousands of levels deep. Releasing them needs
/// only a constant amount of stack: during the release of one, the release of another on the same
/// thread is put off until the first is done.
@usableFromInline final class HiddenPublisher<Hidden: Publisher> {
  // Changes only in `deinit`.
  @exclusivity(unchecked) @usableFromInline var publisher: Hidden?

  @inlinable init(_ publisher: Hidden) { self.publisher = publisher }

  @inlinable
  deinit {
    if Trampoline.beginRelease() {
      publisher = nil
      Trampoline.endRelease()
    } else if let publisher = publisher.take() {
      Trampoline.releaseLater(publisher)
    }
  }

  @inlinable @inline(__always)
  func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Hidden.Output, S.Failure == Hidden.Failure {
    guard let publisher else { return }
    if Introspection.isOn, Introspection.attach(subscriber, to: publisher) { return }
    publisher.attachUnseen(subscriber)
  }
}
