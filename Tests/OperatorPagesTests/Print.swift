import StreamsTesting

/// Prints to the record of the example. It replaces Swift's `print`.
///
/// The text is the same in every run: an error prints as its name, and everything else as in Swift.
/// Pictures leave out a line that only repeats the value of a lane.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  // The parameters are Swift's exactly, or else the compiler prefers Swift's for three items.
  let text = items.map(stableText).joined(separator: separator)
  guard var console = World.here?.console else {
    return Swift.print(text, terminator: terminator)
  }
  Swift.print(text, terminator: terminator, to: &console)
}
