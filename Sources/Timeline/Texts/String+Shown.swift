extension String {
  /// A text from outside, such as an argument, as an error shows it: on one line, without control
  /// characters, and cut in the middle if it's longer than people read.
  package var shown: String { shortened.onOneLine }

  /// The text as ``shown``, in quotation marks.
  package var quoted: String { shortened.debugDescription.onOneLine }

  private var shortened: String {
    let (start, end) = (160, 40)
    // Not characters, because one of them can be of any length.
    guard unicodeScalars.dropFirst(start + end).count > 20 else { return self }
    return "\(String(unicodeScalars.prefix(start)))…\(String(unicodeScalars.suffix(end)))"
  }
}
