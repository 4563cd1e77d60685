extension VirtualTimeScheduler {
  /// Options for scheduled work: a label, and how the work counts.
  public struct Options: Hashable, Sendable {
    /// The name of the work in reports.
    public var label: String?

    /// Whether the work may outlive the run.
    ///
    /// Background work runs when it's due. But it doesn't keep ``VirtualTimeScheduler/run(limit:)``
    /// going, and doesn't count as unfinished at the end of a scope.
    public var background: Bool

    /// Whether the work is a scripted cancel, which runs before all other work of its instant.
    public var isCancellation: Bool

    /// The source that the work is a signal of, if it has one that other work doesn't depend on.
    package var orderSource: OrderSource?

    /// The serial queue that a timer is for; `nil` for the clock itself.
    package var orderQueue: ObjectIdentifier?

    /// What the work follows from, to tell it from other work of the same name.
    package var orderDetail: OrderDetail?

    /// Where these options were made, as `Module/File.swift:12`. Reports quote it.
    public let source: String

    /// Makes options.
    ///
    /// - Parameters:
    ///   - label: The name of the work in reports.
    ///   - background: Whether the work may outlive the run.
    ///   - isCancellation: Whether the work runs before all other work of its instant.
    ///   - fileID: The file that reports quote.
    ///   - line: The line that reports quote.
    public init(
      label: String? = nil, background: Bool = false, isCancellation: Bool = false,
      fileID: String = #fileID, line: Int = #line
    ) {
      self.label = label
      self.background = background
      self.isCancellation = isCancellation
      source = "\(fileID):\(line)"
    }
  }
}
