import Streams

/// A network's number as a type, so that each network can have protocol classes of its own.
///
/// `URLSession` instantiates a protocol class and passes it nothing that names the session. A mark in
/// the request would be visible to the code under test, or could get lost. So each network has a
/// class of its own: a ``TaggedStubProtocol`` whose type parameter spells the network's number in
/// binary.
///
/// Each network also has a second class, for its sessions that wait for connectivity, because a task
/// doesn't say that either. The program has as many pairs of classes as it ever had networks at the
/// same time.
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

/// Finds the settler of a protocol class.
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

  /// Reserves a number for a network. No other network gets it until it is released.
  func reserve() -> Int {
    state.withLock { state in
      if let number = state.free.popLast() { return number }
      state.entries.append(Entry())
      return state.entries.count - 1
    }
  }

  /// Connects a settler with the protocol classes of its number.
  ///
  /// - Returns: The protocol class for sessions that wait for connectivity, or for those that don't.
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
