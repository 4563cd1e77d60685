import Streams

/// Which network a protocol class belongs to, as a type.
///
/// URLSession makes its protocols from a class and hands them nothing of the session, and whatever
/// is put into a request can be seen or lost. So each network has a class of its own: an instance
/// of the generic ``TaggedStubProtocol``, whose parameter spells the network's number in binary.
/// There are as many classes as there ever were networks at the same time.
protocol NetworkTag {
  static var number: Int { get }
}

private enum Zero: NetworkTag {
  static var number: Int { 0 }
}

private enum Even<Half: NetworkTag>: NetworkTag {
  static var number: Int { 2 * Half.number }
}

private enum Odd<Half: NetworkTag>: NetworkTag {
  static var number: Int { 2 * Half.number + 1 }
}

private func tag(_ number: Int) -> any NetworkTag.Type {
  func double<Half: NetworkTag>(_ half: Half.Type) -> any NetworkTag.Type {
    number.isMultiple(of: 2) ? Even<Half>.self : Odd<Half>.self
  }
  return number == 0 ? Zero.self : double(tag(number / 2))
}

private func stubClass<Tag: NetworkTag>(_ tag: Tag.Type) -> StubURLProtocol.Type {
  TaggedStubProtocol<Tag>.self
}

/// The protocol class of one network.
private final class TaggedStubProtocol<Tag: NetworkTag>: StubURLProtocol {
  override class var settler: Settler? { NetworkRegistry.shared.settler(at: Tag.number) }
}

/// Says which settler stands behind which protocol class.
struct NetworkRegistry: Sendable {
  static let shared = NetworkRegistry()

  private struct Entry {
    weak var settler: Settler?
  }

  private struct State {
    var entries: [Entry] = []
    var free: [Int] = []
  }

  private let state = Locked(State())

  /// Reserves a number that no other network has, until it is released.
  func reserve() -> Int {
    state.withLock { state in
      if let number = state.free.popLast() { return number }
      state.entries.append(Entry())
      return state.entries.count - 1
    }
  }

  /// Puts a settler behind the protocol class of its number.
  func connect(_ settler: Settler, to number: Int) -> StubURLProtocol.Type {
    state.withLock { $0.entries[number].settler = settler }
    return stubClass(tag(number))
  }

  func release(_ number: Int) {
    state.withLock { state in
      state.entries[number].settler = nil
      state.free.append(number)
    }
  }

  func settler(at number: Int) -> Settler? {
    state.withLock { $0.entries[number].settler }
  }
}
