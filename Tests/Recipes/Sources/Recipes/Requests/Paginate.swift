import StreamsFoundation

// region: recipe
/// Loads page after page. Each page is loaded when it's requested, and not before.
///
/// - Parameters:
///   - cursor: Where to begin; `nil` for the first page.
///   - next: The cursor of the page after this one; `nil` if there's none.
///   - load: Loads the page at a cursor.
/// - Returns: A publisher of the pages. Each subscription begins at `cursor`.
func pages<Cursor, Load: Publisher>(
  from cursor: Cursor? = nil, next: @escaping (Load.Output) -> Cursor?,
  load: @escaping (Cursor?) -> Load
) -> AnyPublisher<Load.Output, Load.Failure> {
  Deferred {
    var nextCursor: Cursor?
    return load(cursor)
      .handleEvents(receiveOutput: { nextCursor = next($0) })
      .append(
        Deferred {
          nextCursor.map { pages(from: $0, next: next, load: load) }
            ?? Empty().eraseToAnyPublisher()
        })
  }
  .eraseToAnyPublisher()
}
// endregion
