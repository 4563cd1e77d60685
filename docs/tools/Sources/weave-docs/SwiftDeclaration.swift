/// A declaration in a Swift source.
struct SwiftDeclaration {
  /// The types around it, such as `Timeline.Lane`; empty outside of types.
  let owner: String
  /// The name, with its labels if it has any.
  let name: String
  let line: Int
  let isType: Bool
  let isPublic: Bool
}
