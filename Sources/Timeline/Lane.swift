extension Timeline {
  /// Where events happen: one row of a marble diagram.
  ///
  /// A literal is an operator's lane: `.recorded(as: "debounce", on: timeline)`.
  public struct Lane: Hashable, Sendable {
    /// What a lane stands for.
    public enum Role: String, Hashable, Sendable, CaseIterable {
      /// Where values come from.
      case source
      /// A stage of a pipeline.
      case `operator`
      /// Where a pipeline ends.
      case subscriber
      /// One network request.
      case request
      /// What is printed.
      case console
      /// A queue or another scheduler.
      case queue
    }

    /// What it is called wherever it is shown.
    public let name: String

    /// What it stands for.
    public let role: Role

    /// Makes a lane; two are the same if both name and role are.
    public init(_ name: String, role: Role) {
      self.name = name
      self.role = role
    }

    /// The lane of something that values come from.
    public static func source(_ name: String) -> Lane { Lane(name, role: .source) }

    /// The lane of a stage of a pipeline.
    public static func `operator`(_ name: String) -> Lane { Lane(name, role: .operator) }

    /// The lane of something that a pipeline ends in.
    public static func subscriber(_ name: String) -> Lane { Lane(name, role: .subscriber) }

    /// The lane of one network request.
    public static func request(_ name: String) -> Lane { Lane(name, role: .request) }

    /// The lane of what is printed.
    public static let console = Lane("console", role: .console)

    /// The lane of a queue or another scheduler.
    public static func queue(_ name: String) -> Lane { Lane(name, role: .queue) }
  }
}

extension Timeline.Lane: ExpressibleByStringLiteral {
  /// The lane of a stage of a pipeline.
  public init(stringLiteral value: String) { self = .operator(value) }
}
