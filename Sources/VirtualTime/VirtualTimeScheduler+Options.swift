extension VirtualTimeScheduler {
  /// What a caller may say about the work it schedules.
  public struct Options: Hashable, Sendable {
    /// What the work is called in the trace and in reports.
    public var label: String?

    /// Whether the work may outlive the run: it runs when due, but neither keeps
    /// ``VirtualTimeScheduler/run()`` going nor counts as unfinished at the end of a scope.
    public var background: Bool

    /// Whether the work is a scripted cancel, which comes before all other work of its instant.
    public var isCancellation: Bool

    /// Where these options were made, as `Module/File.swift:12`; reports quote it.
    public let source: String

    /// Makes options.
    ///
    /// - Parameters:
    ///   - label: What the work is called in the trace and in reports.
    ///   - background: Whether the work may outlive the run.
    ///   - isCancellation: Whether the work comes before all other work of its instant.
    ///   - fileID: The file to quote in reports.
    ///   - line: The line to quote in reports.
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
