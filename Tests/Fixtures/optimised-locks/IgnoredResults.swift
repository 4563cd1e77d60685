import Streams

/// Holds objects that look at the lock when they are released.
private final class Owner {
  struct State {
    var canary: Canary?
    var list: [Canary] = []
    var action: (() -> Void)?
  }

  let state = Locked(State())
  var isInside = false
}

private final class Canary {
  // A cycle, which is fine in a program that ends.
  private let owner: Owner

  init(_ owner: Owner) { self.owner = owner }

  deinit { if owner.state.isHeld { owner.isInside = true } }
}

private struct Problem: Error {}

/// Removes objects from locked state in several ways, and prints whether each was released inside
/// the lock. A release inside would deadlock if the object's `deinit` used the same lock.
///
/// Debug builds release late.
func checkIgnoredResults() {
  check("take()") { owner in _ = owner.state.withLock { $0.canary.take() } }
  check("take() of a closure") { owner in _ = owner.state.withLock { $0.action.take() } }
  check("exchange with defer") { owner in
    _ = owner.state.withLock { state in
      defer { state.list = [] }
      return state.list
    }
  }
  check("removal from a list") { owner in _ = owner.state.withLock { $0.list.removeLast() } }
  check("a part of a tuple") { owner in
    let (_, count) = owner.state.withLock { state in (state.canary.take(), state.list.count) }
    precondition(count == 1)
  }
  check("an ignored error") { owner in
    _ = try? owner.state.withLock { state throws(Problem) -> Canary? in
      guard state.list.isEmpty else { return state.canary.take() }
      throw Problem()
    }
  }
}

private func check(_ name: String, _ remove: (Owner) -> Void) {
  let owner = Owner()
  owner.state.withLock { state in
    state.canary = Canary(owner)
    state.list = [Canary(owner)]
    let held = Canary(owner)
    state.action = { _ = held }
  }
  remove(owner)
  print("\(name): released \(owner.isInside ? "INSIDE" : "outside") the lock")
}
