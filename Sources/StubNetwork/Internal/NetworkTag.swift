import Streams

/// Which network a protocol class belongs to, as a type.
///
/// URLSession makes its protocols from a class and hands them nothing of the session, and whatever
/// is put into a request can be seen or lost. So each network has a class of its own: an instance
/// of the generic ``TaggedStubProtocol``, whose parameter spells the network's number in binary;
/// and a second one for those of its sessions that wait for connectivity, which a task does not say
/// either. There are as many pairs of classes as there ever were networks at the same time.
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

private func stubClass<Tag: NetworkTag>(
  _ tag: Tag.Type, waitsForConnectivity: Bool
) -> StubURLProtocol.Type {
  waitsForConnectivity ? WaitingStubProtocol<Tag>.self : TaggedStubProtocol<Tag>.self
}

/// The protocol class of one network.
private class TaggedStubProtocol<Tag: NetworkTag>: StubURLProtocol {
  override class var settler: Settler? { NetworkRegistry.shared.settler(at: Tag.number) }
}

/// The protocol class of a network's sessions that wait for connectivity.
private final class WaitingStubProtocol<Tag: NetworkTag>: TaggedStubProtocol<Tag> {
  override class var waitsForConnectivity: Bool { true }
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

  /// Puts a settler behind the protocol classes of its number.
  ///
  /// - Returns: The one of them for sessions that wait for connectivity, or that do not.
  func connect(
    _ settler: Settler, to number: Int, waitsForConnectivity: Bool
  ) -> StubURLProtocol.Type {
    state.withLock { $0.entries[number].settler = settler }
    return stubClass(tag(number), waitsForConnectivity: waitsForConnectivity)
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
