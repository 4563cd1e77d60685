/// The subscription that a source or a junction hands downstream. Two closures do its work. They
/// are formed where all types are known.
///
/// A method of a generic class that is called through `any Subscription` is never specialised, but
/// a closure formed in specialised code is. So a source derives its generic state from this class,
/// and passes closures that cast the state back. The closures capture nothing, so the whole
/// subscription is one allocation.
@usableFromInline
class SourceSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Request = (SourceSubscription, Subscribers.Demand) -> Void
  @usableFromInline typealias Cancel = (SourceSubscription) -> Void
  @usableFromInline let onRequest: Request
  @usableFromInline let onCancel: Cancel

  @inlinable
  init(onRequest: @escaping Request, onCancel: @escaping Cancel) {
    (self.onRequest, self.onCancel) = (onRequest, onCancel)
  }

  @usableFromInline final func request(_ demand: Subscribers.Demand) { onRequest(self, demand) }

  @usableFromInline final func cancel() { onCancel(self) }

  @usableFromInline var description: String { "Subscription" }
  @usableFromInline final var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline final var playgroundDescription: Any { description }
}
