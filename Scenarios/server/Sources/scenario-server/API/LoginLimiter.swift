import Dispatch
import Synchronization

/// Counts wrong logins, so that passwords can't be guessed quickly.
///
/// The first wrong login to an account begins a minute. Once it has ten, further ones are refused
/// until it's over, right or wrong. A login counts as wrong while it's under way, so that many at
/// once don't get around the limit.
final class LoginLimiter: Sendable {
  static let mostWrong = 10

  private struct Minute {
    /// In milliseconds.
    let end: Int64
    var wrong = 0
  }

  private let uptime: @Sendable () -> Int64
  private let minutes = Mutex<[Int: Minute]>([:])

  /// - Parameter uptime: Returns milliseconds since any fixed moment.
  init(
    uptime: @escaping @Sendable () -> Int64 = {
      Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000)
    }
  ) { self.uptime = uptime }

  /// Lets a login begin, or refuses it.
  ///
  /// - Returns: `nil` if it may begin. Otherwise, in how many seconds to try again.
  func begin(_ account: String) -> Int? {
    let now = uptime()
    return minutes.withLock { minutes in
      // Few are left: each belongs to an account with a login within the last minute.
      minutes = minutes.filter { $0.value.end > now }
      // By its hash, because a client chooses how long an account's name is.
      var minute = minutes[account.hashValue] ?? Minute(end: now + 60_000)
      guard minute.wrong < Self.mostWrong else { return Int((minute.end - now + 999) / 1000) }
      minute.wrong += 1
      minutes[account.hashValue] = minute
      return nil
    }
  }

  /// Takes back a login that wasn't wrong.
  func takeBack(_ account: String) {
    minutes.withLock { minutes in
      guard var minute = minutes[account.hashValue] else { return }
      minute.wrong -= 1
      minutes[account.hashValue] = minute.wrong > 0 ? minute : nil
    }
  }
}
