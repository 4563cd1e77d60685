import Streams
import Synchronization
import Timeline
import VirtualWorld

/// Prints to the record of the running world. It replaces Swift's `print`.
///
/// The text is the same in every run: an error prints as its name, a response as its status, data
/// as its size, and everything else as in Swift. Outside a world, this prints to the standard
/// output.
///
/// The compiler prefers this function to Swift's, because no item has to become an `Any`. So it can
/// have more parameters: the line, for the stage.
///
/// - Parameters:
///   - items: The values to print.
///   - separator: The text between two items.
///   - terminator: The text after the last item. Only used outside a world: in a world, each call
///     records whole lines.
///   - fileID: The file to show for it.
///   - line: The line to show for it.
public func print<each Item>(
  _ items: repeat each Item, separator: String = " ", terminator: String = "\n",
  fileID: String = #fileID, line: Int = #line
) {
  var texts: [String] = []
  for item in repeat each items { texts.append(stableText(item)) }
  record(
    texts.joined(separator: separator), terminator,
    line: Timeline.SourceLine(fileID: fileID, line: line))
}

/// Prints items that are an `Any` already, or none. Here the compiler would prefer Swift's `print`
/// to a function with more parameters.
public func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  record(items.map(stableText).joined(separator: separator), terminator, line: nil)
}

private func record(_ text: String, _ terminator: String, line: Timeline.SourceLine?) {
  guard let timeline = World.here?.timeline else {
    if !StrayPrints.areDropped { Swift.print(text, terminator: terminator) }
    return
  }
  for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
    timeline.record(.printed(String(part)), in: .console, line: line)
  }
}

/// What's printed outside a world.
///
/// If a part runs many times, some runs release objects only after their end. These belong to no
/// outcome, and their words would stand between the outcomes.
enum StrayPrints {
  private static let dropped = Atomic<Bool>(false)

  static var areDropped: Bool { dropped.load(ordering: .relaxed) }

  /// Drops all of it from now on.
  static func drop() { dropped.store(true, ordering: .relaxed) }
}
