import Streams
import Timeline
import VirtualWorld

/// Prints to the record of the running world. It replaces Swift's `print`.
///
/// The text is the same in every run: an error prints as its name, a response as its status, data
/// as its size, and everything else as in Swift. Outside a world, this prints to the standard
/// output.
///
/// It has exactly the parameters of Swift's `print`. With more of them, calls would choose Swift's.
///
/// - Parameters:
///   - items: The values to print.
///   - separator: The text between two items.
///   - terminator: The text after the last item. Only used outside a world: in a world, each call
///     records whole lines.
public func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let text = items.map(stableText).joined(separator: separator)
  guard let timeline = World.current.withLock({ $0 }) else {
    return Swift.print(text, terminator: terminator)
  }
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    timeline.record(.printed(String(line)), in: .console)
  }
}
