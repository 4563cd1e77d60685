/// The place in the user's code that scheduled work, in a form that costs little to take.
package protocol WorkSite: Sendable {
  /// The file and line, such as `Search.swift:12`; `nil` if they aren't known.
  var shortText: String? { get }
}
