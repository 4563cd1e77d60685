import TodoAPI

/// The reason why the server doesn't look at a password now, but may do so later.
struct Overload: Error, Equatable {
  let status: Int
  let reason: String
  /// When the client may try again, in seconds.
  let retryAfter: Int

  /// The queue of passwords is full.
  static let busy = Overload(
    status: 503, reason: "too many logins and sign-ups are waiting", retryAfter: 5)

  /// One client has too many passwords in the queue.
  static let tooManyAtOnce = Overload(
    status: 429, reason: "too many of your logins and sign-ups are waiting", retryAfter: 5)

  /// A client or an account has had too many wrong logins.
  static func tooManyWrongLogins(retryAfter: Int) -> Overload {
    Overload(status: 429, reason: "too many wrong logins", retryAfter: retryAfter)
  }

  var reply: TodoReply {
    .refusal(status, reason, headers: ["Retry-After": "\(retryAfter)"])
  }
}
