/// A server that misbehaves in one way.
struct BadServer: Sendable {
  /// When a server misbehaves.
  enum Group: String, CaseIterable, Sendable {
    /// From its first response on, so a scenario's check at the start sees it.
    case fromTheStart = "from the start"
    /// `GET /` gets the right response, and all other requests the bad one.
    case afterTheCheck = "after the check"
  }

  enum Behaviour: Sendable {
    /// Refuses connections.
    case refuse
    /// Called on a thread of the connection's own, after the request was read. The connection is
    /// closed when this returns.
    case respond(@Sendable (Connection) -> Void)
  }

  /// A few words that tell it from all others, such as `resets`.
  let name: String
  /// Its behaviour, in one sentence for the page.
  let sentence: String
  let groups: Set<Group>
  /// Whether a run with this server can last until its time limit, which is short then.
  let stalls: Bool
  let behaviour: Behaviour

  init(
    _ name: String, _ sentence: String, in groups: Set<Group> = Set(Group.allCases),
    stalls: Bool = false, _ behaviour: Behaviour
  ) {
    self.name = name
    self.sentence = sentence
    self.groups = groups
    self.stalls = stalls
    self.behaviour = behaviour
  }
}
