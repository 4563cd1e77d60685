/// What the user can mend, in one line.
struct PlayError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
