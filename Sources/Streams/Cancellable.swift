/// Something that can be cancelled, which ends it and frees what it holds.
///
/// Source of the rule: Combine's `Cancellable`.
public protocol Cancellable {
  /// Ends the activity. Calling it again has no effect.
  func cancel()
}

extension Cancellable {
  /// Keeps this in a collection, which cancels it when it is removed.
  ///
  /// - Parameter collection: Where to keep it. Not synchronised: one thread at a time.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Keeps this in a set, which cancels it when it is removed.
  ///
  /// - Parameter set: Where to keep it. Not synchronised: one thread at a time.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
