extension Loom {
  /// Links to the pages before and after this one in the course.
  func navigation(at location: Location) throws(Problem) -> [String] {
    guard let course else { return [] }
    guard let (previous, next) = course.neighbours(of: location.path) else {
      throw location.problem("this page isn't in the course list of \(Course.page)")
    }
    let links = [
      previous.map { Self.link("← \($0.title)", to: $0.path, at: location) },
      Self.link("Course", to: Course.page, at: location),
      next.map { Self.link("\($0.title) →", to: $0.path, at: location) },
    ]
    return [links.compactMap(\.self).joined(separator: " · ")]
  }
}
