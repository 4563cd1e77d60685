/// A piece of work that a library does, and a plain loop that calls the same closures.
public struct Workload {
  /// The operators, as they stand in the chain.
  public let name: String
  /// How many values one run sends, or how many chains it sets up.
  public let values: Int
  public let loop: () -> Void
  public let run: () -> Void

  public init(
    _ name: String, values: Int, loop: @escaping () -> Void, run: @escaping () -> Void
  ) {
    self.name = name
    self.values = values
    self.loop = loop
    self.run = run
  }
}

/// The memory that one more subscription to a chain keeps.
public struct Footprint {
  /// The operators, as they stand in the chain.
  public let name: String
  /// Subscribes that many times, and returns what keeps the subscriptions alive.
  public let subscribe: (_ count: Int) -> Any

  public init(_ name: String, subscribe: @escaping (_ count: Int) -> Any) {
    self.name = name
    self.subscribe = subscribe
  }
}
