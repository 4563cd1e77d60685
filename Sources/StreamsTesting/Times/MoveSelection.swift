import VirtualTime

/// What `expectSameAtAnyTime` moves: one kind of things, or a single one by its address.
public struct MoveSelection: Sendable {
  /// The address of the only thing that's moved; `nil` for a kind of things.
  let address: String?
  let isIncluded: @Sendable (ScriptedThing) -> Bool

  /// Each response of the network, each chunk that comes on its own, and each end of a body.
  public static let everyResponse = MoveSelection { $0.kind == .response }

  /// What the test does by itself: each call of `World.at`, and each value and each end of a `hot`
  /// or `cold` source.
  public static let everyInput = MoveSelection { $0.kind != .response }

  /// All of these.
  public static let everything = MoveSelection { _ in true }

  private init(where isIncluded: @escaping @Sendable (ScriptedThing) -> Bool) {
    (address, self.isIncluded) = (nil, isIncluded)
  }
}

extension MoveSelection: ExpressibleByStringInterpolation {
  /// Makes a selection of one thing: an address, such as `GET /search?q=sw`. See
  /// `Moves`.
  public init(stringLiteral address: String) {
    (self.address, isIncluded) = (address, { $0.address == address })
  }
}
