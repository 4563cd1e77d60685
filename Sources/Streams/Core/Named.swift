/// A subscriber or subscription that shows nothing of itself except the name of its operator.
@usableFromInline
protocol Named: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var name: String { get }
}

extension Named {
  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { name }
}
