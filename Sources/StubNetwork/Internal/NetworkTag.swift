import Foundation
import Streams

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A number as a type, so that each session can have a protocol class of its own.
///
/// `URLSession` instantiates a protocol class and passes it nothing that names the session. A mark
/// in the request would be visible to the code under test, or could get lost. So each session has a
/// class of its own: a ``TaggedStubProtocol`` whose type parameter spells the number in binary.
/// The program has as many classes as it ever had sessions at the same time.
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

/// The protocol class of one session.
private final class TaggedStubProtocol<Tag: NetworkTag>: StubURLProtocol {
  override class var home: NetworkRegistry.Home {
    NetworkRegistry.shared.home(at: Tag.number)
  }
}

/// Finds the network and the settings of a protocol class.
struct NetworkRegistry: Sendable {
  static let shared = NetworkRegistry()

  /// Where the requests of a protocol class go.
  struct Home: Sendable {
    /// The network's settler; `nil` after the network was released.
    var settler: Settler?
    var settings = SessionSettings()
  }

  private struct Entry {
    weak var settler: Settler?
    var settings: SessionSettings
  }

  private struct State {
    /// `nil` at the numbers that are free.
    var entries: [Entry?] = []
    var free: [Int] = []
  }

  private let state = Locked(State())

  /// Reserves a number for a session. It isn't used again until it is released.
  func reserve(for settler: Settler, _ settings: SessionSettings) -> Int {
    state.withLock { state in
      let entry = Entry(settler: settler, settings: settings)
      if let number = state.free.popLast() {
        state.entries[number] = entry
        return number
      }
      state.entries.append(entry)
      return state.entries.count - 1
    }
  }

  /// The protocol class of a number.
  func protocolClass(at number: Int) -> StubURLProtocol.Type { stubClass(tag(number)) }

  func release(_ number: Int) {
    state.withLock { state in
      state.entries[number] = nil
      state.free.append(number)
    }
  }

  func home(at number: Int) -> Home {
    state.withLock { state in
      guard let entry = state.entries[number] else { return Home() }
      return Home(settler: entry.settler, settings: entry.settings)
    }
  }
}

/// The protocol class of a session. The session keeps this, and its number is free afterwards.
final class SessionClass: Sendable {
  private let number: Int

  /// - Parameters:
  ///   - settler: The settler of the session's network.
  ///   - settings: The session's settings.
  init(of settler: Settler, _ settings: SessionSettings) {
    number = NetworkRegistry.shared.reserve(for: settler, settings)
  }

  deinit { NetworkRegistry.shared.release(number) }

  /// Makes sessions of this configuration load from the stub.
  func attach(to configuration: URLSessionConfiguration) {
    configuration.protocolClasses = [NetworkRegistry.shared.protocolClass(at: number)]
    // With a cache, protocols would be looked up on another queue, past every fence.
    configuration.urlCache = nil
  }
}
