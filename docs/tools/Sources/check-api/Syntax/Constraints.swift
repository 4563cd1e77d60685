/// The constraints of a declaration, in a form in which equal ones compare equal.
///
/// `A == B, B == C` says the same as `C == A, A == B`, so equal types stand in groups.
struct Constraints: Equatable {
  /// The protocols of a type: `Output: Equatable`.
  private(set) var conformances: Set<String> = []
  /// Groups of equal types.
  private(set) var groups: Set<Set<String>> = []

  mutating func conform(_ type: String, to name: String) {
    // Symbol graphs don't show `Self: AnyObject`.
    if name != "AnyObject" { conformances.insert("\(type): \(name)") }
  }

  mutating func equate(_ one: String, _ other: String) {
    var joined: Set = [one, other]
    for group in groups where !group.isDisjoint(with: joined) {
      joined.formUnion(group)
      groups.remove(group)
    }
    if joined.count > 1 { groups.insert(joined) }
  }

  mutating func add(_ other: Constraints) {
    conformances.formUnion(other.conformances)
    for group in other.groups {
      guard let first = group.first else { continue }
      for type in group { equate(first, type) }
    }
  }

  /// With those that hold anyway, because the type that the declaration stands in has them.
  ///
  /// Symbol graphs repeat some of them, and the table doesn't.
  func adding(_ other: Constraints) -> Constraints {
    var sum = self
    sum.add(other)
    return sum
  }

  /// The constraints as in a `where` clause, sorted.
  var description: String {
    (conformances.sorted() + groups.map { $0.sorted().joined(separator: " == ") }.sorted())
      .joined(separator: ", ")
  }
}
