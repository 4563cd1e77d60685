import StubNetwork

/// How a test ends when something goes wrong with its requests.
public struct Ending<Outcome> {
  /// What goes wrong, in the order of the requests. It's empty in another order without a fault.
  public let faults: [NetworkFault]

  /// The order of what happens at one instant, as `withWorld(schedule:)` reads it; `nil` for the
  /// usual one.
  public let schedule: String?

  /// What the body returned; `nil` if it threw an error.
  public let outcome: Outcome?

  /// The error that the body threw.
  public let error: (any Error)?

  /// The problems of the world, such as work that was left.
  public let problems: [String]

  /// Whether something isn't so that the test expects of the whole run.
  let breaksExpectations: Bool
}

extension Ending: CustomStringConvertible {
  /// What leads to it, such as `request 1 is refused` or `request 1 is refused, in the order
  /// 600ms:1`.
  public var description: String {
    let order = schedule.map { "in the order \($0)" }
    let faults = faults.isEmpty ? [] : [NetworkFault.description(of: faults)]
    return (faults + [order].compactMap(\.self)).joined(separator: ", ")
  }
}
