#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps the stack flat however deeply junctions are nested in each other, as in recursive paging,
/// where each page's publisher contains the next page's.
///
/// A junction learns from its downstream how deeply it's nested (`Subscriber._depth`). One level in
/// 64 uses the trampoline: signals that pass it, in either direction, go through ``run(_:)``. The
/// first such level on a thread's stack acts at once. Those beyond it queue their actions, and the
/// first one runs these in order once the stack has unwound. So the stack holds 128 levels at most.
/// A pipeline of fewer than 64 levels never uses it, so it delivers everything at once, even if
/// it's made inside a deep one. For each value, a junction only looks up whether its level does.
///
/// Releases have their own queue: see ``HiddenPublisher``.
@usableFromInline enum Trampoline {
  /// The number of levels from one that uses the trampoline to the next.
  @inlinable static var interval: Int { 64 }

  /// Whether signals at this depth have to go through ``run(_:)``.
  @inlinable static func isNeeded(atDepth depth: Int) -> Bool { depth % interval == interval - 1 }

  /// Runs an action: now or, if one is already running on this thread, after that one.
  @usableFromInline
  static func run(_ action: @escaping () -> Void) {
    if actions.isActive { return actions.putOff(action) }
    actions.begin()
    action()
    while let next = actions.next() { next() }
    actions.end()
  }

  /// Begins the release of an object that may hold more of its kind.
  ///
  /// - Returns: Whether the caller releases its object now and then calls ``endRelease()``. If not,
  ///   another release is already running on this thread, and the caller passes its object to
  ///   ``releaseLater(_:)``.
  @usableFromInline
  static func beginRelease() -> Bool {
    if releases.isActive { return false }
    releases.begin()
    return true
  }

  @usableFromInline static func releaseLater(_ value: Any) { releases.putOff(value) }

  /// Releases everything that was put off, and ends the release.
  @usableFromInline
  static func endRelease() {
    while let next = releases.next() { _ = next }
    releases.end()
  }

  private static let actions = ThreadQueue<() -> Void>()
  private static let releases = ThreadQueue<Any>()
}

/// A queue for each thread, which exists only between ``begin()`` and ``end()``.
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

  /// Marks a queue that has begun and is still empty.
  private static var nothing: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }
}

/// One word of storage for each thread.
private final class ThreadKey: Sendable {
  let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "pthread_key_create failed with error \(code)")
    self.key = key
  }
}
