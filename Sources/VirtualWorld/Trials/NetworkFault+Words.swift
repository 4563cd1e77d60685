import StubNetwork
import Timeline

extension NetworkFault {
  /// The faults of several runs in words: a line for each request, or more if they're many. Pairs
  /// have lines only if nothing less leads there; otherwise they're counted.
  ///
  /// - Parameters:
  ///   - plans: The faults of each run.
  ///   - width: The most characters of a line.
  package static func words(for plans: [[NetworkFault]], width: Int = 97) -> [String] {
    let singles = plans.filter { $0.count == 1 }.map { $0[0] }
    let pairs = plans.filter { $0.count > 1 }
    let lines = singles.grouped(by: \.place).flatMap { place, faults in
      (place.words + words(for: faults.map(\.kind))).folded(to: width, indentation: "  ")
    }
    if pairs.isEmpty { return lines }
    return plans.contains { $0.count < 2 }
      ? lines + ["\(counted(pairs.count, "pair")) of faults"] : words(forPairs: pairs, width)
  }

  /// Pairs in words. First faults that have the same second ones stand together.
  private static func words(forPairs pairs: [[NetworkFault]], _ width: Int) -> [String] {
    let places = pairs.grouped { $0.map(\.place) }
    return places.flatMap { places, pairs in
      let seconds = pairs.grouped { $0[0].kind }
        .map { (first: $0.key, second: $0.members.map { $0[1].kind }) }
      return seconds.grouped(by: \.second).flatMap { second, firsts in
        let first = places[0].words + words(for: firsts.map(\.first))
        return
          (first.dropLast() + first.suffix(1).map { $0 + "," } + ["and", "then"]
          + places[1].words + words(for: second)).folded(to: width, indentation: "  ")
      }
    }
  }

  /// Kinds in words that stay on one line each: `is refused,` and `gets a 401,` and `403`.
  private static func words(for kinds: [Kind]) -> [String] {
    kinds.indices.map { index in
      var words = "\(kinds[index])"
      if case .status(let status) = kinds[index], index > 0, case .status = kinds[index - 1] {
        words = "\(status)"
      }
      return words + (index == kinds.count - 1 ? "" : ",")
    }
  }

  /// Which requests have a fault.
  private struct Place: Hashable {
    let request: Int
    let isLasting: Bool

    /// As the description of a fault has it, in words that stay on one line each.
    var words: [String] {
      isLasting ? ["from request \(request) on,", "each request"] : ["request \(request)"]
    }
  }

  private var place: Place { Place(request: request, isLasting: isLasting) }
}

extension NetworkFault.Kind {
  /// The lines of an ending with the words `<status>` where they name the status of this fault.
  /// Endings that differ in nothing else are the same to a reader. Lines of the usual ending stay
  /// as they are.
  package func withoutStatus(_ lines: [String], unlike usual: [String]) -> [String] {
    guard case .status(let status) = self else { return lines }
    return lines.map { line in
      usual.contains(line)
        ? line
        : line.replacing(#/\b\d{3}\b/#) { $0.output == "\(status)" ? "<status>" : $0.output }
    }
  }
}

extension Sequence {
  /// The elements with the same key, in the order of their first ones.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, members: [Element])] {
    var groups: [(key: Key, members: [Element])] = []
    var indices: [Key: Int] = [:]
    for element in self {
      let key = key(element)
      if let index = indices[key] {
        groups[index].members.append(element)
      } else {
        indices[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}
