import Synchronization

/// The hooks that are enabled; see ``_Introspection``.
///
/// ``Publisher/attach(_:)`` and `subscribe(_:)` read one flag. If it's set, they attach a
/// ``SubscriberTap`` in a function that is never inlined or specialised. So while no hook is
/// enabled, the chain that the optimiser builds has no tap in it.
@usableFromInline enum Introspection {
  /// Whether a hook is enabled. Changes under the lock.
  @usableFromInline static let flag = Atomic<Bool>(false)

  /// In the order in which they were enabled. A hook isn't `Sendable`, as in Combine. Its rules
  /// say that any thread calls it.
  private static let hooks = Locked<[any _Introspection]>([])

  /// Whether a hook is enabled.
  @inlinable @inline(__always) static var isOn: Bool { flag.load(ordering: .relaxed) }

  static func isEnabled(_ hook: any _Introspection) -> Bool {
    isOn && hooks.withLock { $0.contains { $0 === hook } }
  }

  static func enable(_ hook: any _Introspection) {
    hooks.withLock { hooks in
      if !hooks.contains(where: { $0 === hook }) { hooks.append(hook) }
      flag.store(true, ordering: .relaxed)
    }
  }

  static func disable(_ hook: any _Introspection) {
    // The hook and the old list are released outside the lock.
    _ = hooks.withLock { hooks in
      let old = hooks
      hooks.removeAll { $0 === hook }
      flag.store(!hooks.isEmpty, ordering: .relaxed)
      return old
    }
  }

  /// Tells the enabled hooks about a signal, before and after it passes. A hook that's enabled
  /// meanwhile isn't told about its end, and one that's disabled isn't told anything more.
  static func report<Result>(
    _ signal: () -> Result, before: (any _Introspection) -> Void,
    after: (any _Introspection, Result) -> Void
  ) -> Result {
    let told = isOn ? hooks.withLock { $0 } : []
    for hook in told where isEnabled(hook) { before(hook) }
    let result = signal()
    for hook in told where isEnabled(hook) { after(hook, result) }
    return result
  }
}
