#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps the stack flat however deep junctions are nested in each other, as in recursive paging,
/// where each page's publisher contains the next page's.
///
/// A junction learns from its downstream how deep it is nested (`Subscriber._depth`). One in 64 is a
/// landing: whatever passes it, in either direction, goes through ``run(_:)``. The first landing on the
/// stack of a thread acts at once; those beyond it leave their actions to it, and it runs them in order
/// once the stack has unwound. So the stack holds 128 levels at most, and a pipeline of fewer levels
/// delivers everything at once, also if it is made inside a deep one. For each value, a junction only
/// looks up whether it is a landing.
///
/// Releases have a queue of their own: see ``HiddenPublisher``.
@usableFromInline
enum Trampoline {
  /// The number of levels from one landing to the next.
  @inlinable
  static var interval: Int { 64 }

  /// Whether what passes at this depth has to go through ``run(_:)``.
  @inlinable
  static func isLanding(_ depth: Int) -> Bool { depth % interval == interval - 1 }

  /// Runs an action: now or, if such an action runs on this thread already, behind that one.
  @usableFromInline
  static func run(_ action: @escaping () -> Void) {
    if actions.isActive { return actions.putOff(action) }
    actions.begin()
    action()
    while let next = actions.next() { next() }
    actions.end()
  }

  /// Begins the release of something that may hold more of its kind.
  ///
  /// - Returns: Whether the caller is to release it, and then ``endRelease()``. Otherwise another
  ///   release goes on, on this thread, and the caller is to put its own off.
  @usableFromInline
  static func beginRelease() -> Bool {
    if releases.isActive { return false }
    releases.begin()
    return true
  }

  @usableFromInline
  static func releaseLater(_ value: Any) { releases.putOff(value) }

  /// Releases what was put off, and ends.
  @usableFromInline
  static func endRelease() {
    while let next = releases.next() { _ = next }
    releases.end()
  }

  private static let actions = ThreadQueue<() -> Void>()
  private static let releases = ThreadQueue<Any>()
}

/// A queue of its own for each thread, which is there only between ``begin()`` and ``end()``.
private final class ThreadQueue<Entry>: Sendable {
  private final class Entries {
    var queue = FIFO<Entry>()
  }

  private let key = ThreadKey()

  var isActive: Bool { pthread_getspecific(key.key) != nil }

  func begin() { pthread_setspecific(key.key, Self.nothing) }

  func putOff(_ entry: Entry) {
    let entries = entries ?? Entries()
    if self.entries == nil {
      pthread_setspecific(key.key, Unmanaged.passRetained(entries).toOpaque())
    }
    entries.queue.append(entry)
  }

  func next() -> Entry? { entries?.queue.popFirst() }

  func end() {
    let entries = entries
    pthread_setspecific(key.key, nil)
    if let entries { Unmanaged.passUnretained(entries).release() }
  }

  private var entries: Entries? {
    guard let address = pthread_getspecific(key.key), address != Self.nothing else { return nil }
    return Unmanaged<Entries>.fromOpaque(address).takeUnretainedValue()
  }

  /// Says that the queue is there, and that it is empty still.
  private static var nothing: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }
}

/// A word of its own for each thread.
private final class ThreadKey: Sendable {
  let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "pthread_key_create failed with error \(code)")
    self.key = key
  }
}
