extension TodoAPI {
  /// How far a request is.
  public enum Step: Sendable {
    /// The request is done.
    case done(TodoReply)
    /// A password must be hashed first.
    case hashing(Hashing)
  }

  /// The slow part of a login or a sign-up, and what follows from it.
  public struct Hashing: Sendable {
    /// The account that a login names, spelled the same for all spellings of its address; `nil` for
    /// a sign-up. There may be no such account.
    public let account: String?

    /// Hashes the password, which takes long and uses nothing but the processor.
    ///
    /// - Returns: A function that performs the rest of the request and returns the reply. It uses
    ///   the store.
    public let hash: @Sendable () -> @Sendable () -> TodoReply

    init(
      account: String?, hash: @escaping @Sendable () -> @Sendable () -> TodoReply
    ) {
      self.account = account
      self.hash = hash
    }
  }
}
