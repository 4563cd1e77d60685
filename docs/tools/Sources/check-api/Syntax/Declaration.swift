/// A declaration in a form in which two spellings of the same thing compare equal.
///
/// Types have their full names, the generic parameters of a function have numbers, and the names
/// of parameters, which callers can't see, are left out.
struct Declaration: Equatable {
  struct Parameter: Equatable {
    let label: String
    let type: String
    let defaultValue: String?
  }

  /// `struct`, `func`, `init`, `init?`, `var`, `case`, `typealias`, `extension` and so on.
  var keyword: String
  var name: String
  /// `static`, `mutating` or `final`.
  var modifiers: Set<String> = []
  var generics: [String] = []
  var parameters: [Parameter]?
  var effects: [String] = []
  /// The type of a result or a property, or the other name of a type alias.
  var type: String?
  /// `get`, `set`, `mutating get` and so on.
  var accessors: Set<String> = []
  var constraints = Constraints()
  /// The protocols after the colon; compared with conformances, not with a declaration.
  var inherited: [String] = []
  /// The members in the braces of a type, as texts.
  var members: [String] = []
}
