/// Objects in the order in which they came. Each has a key, so removing one needs no search.
struct Arrivals<Element> {
  private var elements: [Int: Element] = [:]
  private var nextKey = 0

  /// The objects in the order in which they came.
  var all: [Element] { elements.sorted { $0.key < $1.key }.map(\.value) }

  /// Adds an object.
  ///
  /// - Returns: Its key.
  mutating func add(_ element: Element) -> Int {
    defer { nextKey += 1 }
    elements[nextKey] = element
    return nextKey
  }

  /// Removes an object, for the caller to release.
  mutating func remove(_ key: Int) -> Element? { elements.removeValue(forKey: key) }

  /// Removes all objects, for the caller to release.
  mutating func removeAll() -> [Element] {
    defer { elements = [:] }
    return all
  }
}
