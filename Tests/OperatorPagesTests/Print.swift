import StreamsTesting

/// Prints to the record of the example. It replaces Swift's `print`.
///
/// The text is the same in every run: an error prints as its name, and everything else as in Swift.
/// Pictures leave out a line that only repeats the value of a lane.
func print(_ items: Any...) {
  let text = items.map(stableText).joined(separator: " ")
  guard var console = World.here?.console else { return Swift.print(text) }
  Swift.print(text, to: &console)
}
