extension Timeline {
  /// A place where events happen, and a row of a marble diagram.
  ///
  /// A string literal makes an operator's lane: `.recorded(as: "debounce", on: timeline)`.
  public struct Lane: Hashable, Sendable {
    /// What kind of place a lane is.
    public enum Role: String, Hashable, Sendable, CaseIterable {
      /// Where values come from.
      case source
      /// A stage of a pipeline.
      case `operator`
      /// Where a pipeline ends.
      case subscriber
      /// One network request.
      case request
      /// Printed output.
      case console
      /// A queue or another scheduler.
      case queue
    }

    /// The name to show.
    public let name: String

    /// What kind of place it is.
    public let role: Role

    /// Makes a lane. Two lanes are equal if their names and roles are.
    public init(_ name: String, role: Role) {
      self.name = name
      self.role = role
    }

    /// Makes the lane of something that values come from.
    public static func source(_ name: String) -> Lane { Lane(name, role: .source) }

    /// Makes the lane of a stage of a pipeline.
    public static func `operator`(_ name: String) -> Lane { Lane(name, role: .operator) }

    /// Makes the lane of something that a pipeline ends in.
    public static func subscriber(_ name: String) -> Lane { Lane(name, role: .subscriber) }

    /// Makes the lane of one network request.
    public static func request(_ name: String) -> Lane { Lane(name, role: .request) }

    /// The lane of printed output.
    public static let console = Lane("console", role: .console)

    /// Makes the lane of a queue or another scheduler.
    public static func queue(_ name: String) -> Lane { Lane(name, role: .queue) }
  }
}

extension Timeline.Lane: ExpressibleByStringLiteral {
  /// Makes the lane of a stage of a pipeline.
  public init(stringLiteral value: String) { self = .operator(value) }
}
