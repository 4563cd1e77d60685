/// An activity that you can cancel, which ends it and frees everything it holds.
///
/// Follows Combine's `Cancellable`.
public protocol Cancellable {
  /// Ends the activity. Calling it again has no effect.
  func cancel()
}

extension Cancellable {
  /// Stores this cancellable in a collection, so that removing it from there cancels it.
  ///
  /// - Parameter collection: The collection to add it to. Access isn't synchronised: use one thread
  ///   at a time.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Stores this cancellable in a set, so that removing it from there cancels it.
  ///
  /// - Parameter set: The set to add it to. Access isn't synchronised: use one thread at a time.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
