import Synchronization

/// The hooks that are enabled (see ``_Introspection``), and the tool that attaches subscribers.
///
/// ``Publisher/attach(_:)`` and `subscribe(_:)` read one flag. If it's set, and the publisher is of
/// interest, they attach the subscriber in a function that is never inlined or specialised. So
/// while there's neither hook nor tool, the chain that the optimiser builds knows nothing of them.
@usableFromInline enum Introspection {
  /// Whether there's a hook or a tool. Changes under the lock.
  @usableFromInline static let flag = Atomic<Bool>(false)

  /// In the order in which they were enabled. A hook isn't `Sendable`, as in Combine. Its rules
  /// say that any thread calls it.
  private static let hooks = Locked<[any _Introspection]>([])

  private static let tool = Locked<(any AttachingTool)?>(nil)

  /// Whether there's a hook or a tool.
  @inlinable @inline(__always) static var isOn: Bool { flag.load(ordering: .relaxed) }

  /// Whether a hook or the tool looks at publishers of this type now.
  @inlinable @inline(__always)
  static func looks(at type: any Publisher.Type) -> Bool { isOn && concerns(type) }

  @usableFromInline
  static func concerns(_ type: any Publisher.Type) -> Bool {
    hasHooks || tool.withLock({ $0 })?.attaches(to: type) ?? false
  }

  static var hasHooks: Bool { isOn && hooks.withLock { !$0.isEmpty } }

  static func isEnabled(_ hook: any _Introspection) -> Bool {
    isOn && hooks.withLock { $0.contains { $0 === hook } }
  }

  static func enable(_ hook: any _Introspection) {
    hooks.withLock { hooks in
      if !hooks.contains(where: { $0 === hook }) { hooks.append(hook) }
      storeFlag(hooks)
    }
  }

  /// Lets a tool attach subscribers from now on, or none.
  static func install(_ new: (any AttachingTool)?) {
    tool.withLock { $0 = new }
    hooks.withLock { storeFlag($0) }
  }

  /// Sets the flag, under the lock of the hooks.
  private static func storeFlag(_ hooks: [any _Introspection]) {
    flag.store(!hooks.isEmpty || tool.withLock { $0 != nil }, ordering: .relaxed)
  }

  /// Lets the tool attach a subscriber, if there's a tool for publishers of this type.
  ///
  /// - Returns: Whether it has.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  static func attach<P: Publisher, S: Subscriber>(_ subscriber: S, to publisher: P) -> Bool
  where S.Input == P.Output, S.Failure == P.Failure {
    guard let tool = tool.withLock({ $0 }), tool.attaches(to: P.self) else { return false }
    return tool.attach(subscriber, to: publisher)
  }

  static func disable(_ hook: any _Introspection) {
    // The hook and the old list are released outside the lock.
    _ = hooks.withLock { hooks in
      let old = hooks
      hooks.removeAll { $0 === hook }
      storeFlag(hooks)
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

/// A tool that attaches subscribers to some publishers in its own way, to learn more about what
/// passes than a hook does.
package protocol AttachingTool: Sendable {
  /// Whether it attaches the subscribers of such a publisher, in the calling code.
  func attaches(to type: any Publisher.Type) -> Bool

  /// Attaches a subscriber.
  ///
  /// - Returns: Whether it has. If not, the publisher attaches it as usual.
  func attach<P: Publisher, S: Subscriber>(_ subscriber: S, to publisher: P) -> Bool
  where S.Input == P.Output, S.Failure == P.Failure
}

extension AttachingTool {
  /// Makes this the process's only tool.
  package func install() { Introspection.install(self) }

  /// Lets no tool attach subscribers any more.
  package static func uninstall() { Introspection.install(nil) }
}
