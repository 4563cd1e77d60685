extension Limits {
  /// The limits, one subject a paragraph, for the help of the program.
  public var summary: String {
    """
    Limits. Most requests beyond them get a status of 400 or more, and the reason.

    Requests: \(Self.size(uriBytes)) for the URI, \(Self.size(headBytes)) and \(headerFields) \
    fields for the head, \(Self.size(bodyBytes)) for the body, \(requestSeconds) s for sending it \
    all, and \(responseSeconds) s for the response.

    Connections: \(connections) at a time, or as many as the system allows, \
    \(connectionsPerClient) of them from one address. Others wait or are closed.

    Logins: \(wrongLoginsPerClient) wrong ones from one address and \(wrongLoginsPerAccount) for \
    one account within \(loginWindowSeconds) s. At a time, \(waitingPasswords) logins and sign-ups, \
    \(waitingPasswordsPerClient) of them from one address.

    Data: \(todos.users) users, \(todos.todosOfAUser) todos and \(todos.tokensOfAUser) tokens of \
    each, \(Self.size(databaseBytes)) for the database.
    """
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
  }
}
