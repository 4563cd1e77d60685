import Synchronization

/// Counts wrong logins per client and per account, so that passwords can't be guessed quickly.
///
/// The first wrong login of a client or an account begins a window. When the window has as many
/// wrong logins as it may, further ones are refused until the window ends, right or wrong. A login
/// counts as wrong while it's under way, so that many at once don't get around the limit.
final class LoginLimiter: Sendable {
  /// A login that was let through. Call ``LoginLimiter/end(_:isRight:)`` or
  /// ``LoginLimiter/cancel(_:)`` with it.
  struct Attempt: Sendable {
    /// The windows that count it, and when they end.
    fileprivate let windows: [Key: Int64]
  }

  fileprivate enum Key: Hashable, Sendable {
    case client(ClientAddress)
    /// The hash of an account's key, because a client chooses how long its key is. The hash differs
    /// in each process, so two accounts with one hash can't be found.
    case account(Int)
  }

  private struct Window {
    /// When it ends, in milliseconds.
    var end: Int64
    var wrong = 0
  }

  private let limits: Limits
  private let uptime: @Sendable () -> Int64
  private let windows = Mutex<[Key: Window]>([:])

  /// - Parameters:
  ///   - limits: How many wrong logins a window may have, and how long it is.
  ///   - uptime: Returns milliseconds since any fixed moment.
  init(limits: Limits, uptime: @escaping @Sendable () -> Int64) {
    self.limits = limits
    self.uptime = uptime
  }

  /// Lets a login through, or refuses it.
  ///
  /// - Throws: ``Overload``
  func begin(client: ClientAddress, account: String) throws(Overload) -> Attempt {
    let now = uptime()
    let keys = [Key.client(client), .account(account.hashValue)]
    let result = windows.withLock { windows -> Result<Attempt, Overload> in
      makeRoom(in: &windows, now)
      let ends = keys.compactMap { key -> Int64? in
        guard let window = windows[key], window.end > now, window.wrong >= most(key) else {
          return nil
        }
        return window.end
      }
      if let end = ends.max() {
        return .failure(.tooManyWrongLogins(retryAfter: Int((end - now + 999) / 1000)))
      }
      var counting: [Key: Int64] = [:]
      for key in keys {
        var window = windows[key] ?? Window(end: now)
        if window.end <= now { window = Window(end: now + Int64(limits.loginWindowSeconds) * 1000) }
        window.wrong += 1
        windows[key] = window
        counting[key] = window.end
      }
      return .success(Attempt(windows: counting))
    }
    return try result.get()
  }

  /// Ends a login. If it was right, it doesn't count.
  func end(_ attempt: Attempt, isRight: Bool) {
    if isRight { cancel(attempt) }
  }

  /// Takes back a login whose password wasn't looked at. A window without logins is forgotten, so
  /// that logins that are refused can't drive out the windows of others.
  func cancel(_ attempt: Attempt) {
    windows.withLock { windows in
      for (key, end) in attempt.windows where windows[key]?.end == end {
        windows[key]?.wrong -= 1
        if windows[key]?.wrong == 0 { windows[key] = nil }
      }
    }
  }

  /// The number of windows in memory.
  var windowCount: Int { windows.withLock { $0.count } }

  private func most(_ key: Key) -> Int {
    switch key {
    case .client: limits.wrongLoginsPerClient
    case .account: limits.wrongLoginsPerAccount
    }
  }

  /// Forgets windows so that there's room for two more: those that are over, and if that isn't
  /// enough, the half that ends first.
  private func makeRoom(in windows: inout [Key: Window], _ now: Int64) {
    guard windows.count + 2 > limits.loginWindowCount else { return }
    windows = windows.filter { $0.value.end > now }
    guard windows.count + 2 > limits.loginWindowCount else { return }
    let ends = windows.values.map(\.end).sorted()
    let middle = ends[ends.count / 2]
    windows = windows.filter { $0.value.end > middle }
  }
}
