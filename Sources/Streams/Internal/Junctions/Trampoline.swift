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
/// A junction learns how deep it is nested when it is made. One in 64 is a landing: whatever passes
/// it, in either direction, goes through ``run(_:)``. The first landing on the stack of a thread acts
/// at once; those beyond it leave their actions to it, and it runs them in order once the stack has
/// unwound. So the stack holds 128 levels at most, and a pipeline of fewer levels never notices.
/// Junctions that are no landings pay one look at a constant for each value.
@usableFromInline
enum Trampoline {
  /// How many levels lie between two landings.
  static var interval: Int { 64 }

  /// The depth of a junction that is made now, on this thread.
  @usableFromInline
  static var depth: Int { Int(bitPattern: pthread_getspecific(depthKey.key)) }

  /// Sets the depth of junctions that are made from now on, on this thread.
  ///
  /// - Returns: The depth before, for the caller to restore.
  @usableFromInline
  static func enter(depth: Int) -> Int {
    let outer = self.depth
    pthread_setspecific(depthKey.key, UnsafeRawPointer(bitPattern: depth))
    return outer
  }

  /// Restores the depth.
  @usableFromInline
  static func leave(to depth: Int) {
    pthread_setspecific(depthKey.key, UnsafeRawPointer(bitPattern: depth))
  }

  /// Whether what passes at this depth has to go through ``run(_:)``.
  @usableFromInline
  static func isLanding(_ depth: Int) -> Bool { depth % interval == interval - 1 }

  /// Runs an action: now or, if such an action runs on this thread already, behind that one.
  @usableFromInline
  static func run(_ action: @escaping () -> Void) {
    if let waiting = pthread_getspecific(waitingKey.key) {
      return Unmanaged<Waiting>.fromOpaque(waiting).takeUnretainedValue().actions.append(action)
    }
    let waiting = Waiting()
    pthread_setspecific(waitingKey.key, Unmanaged.passUnretained(waiting).toOpaque())
    action()
    while let next = waiting.actions.popFirst() { next() }
    pthread_setspecific(waitingKey.key, nil)
  }

  /// The actions that wait on one thread; only that thread touches them.
  private final class Waiting {
    var actions = FIFO<() -> Void>()
  }

  private static let depthKey = ThreadKey()
  private static let waitingKey = ThreadKey()
}

/// A word of its own for each thread.
private final class ThreadKey: Sendable {
  let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "no key for threads to be had: error \(code)")
    self.key = key
  }
}
