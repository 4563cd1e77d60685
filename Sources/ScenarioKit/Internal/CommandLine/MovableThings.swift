import VirtualTime

/// The things that `--sweep` moves, and that a reader of a page can move.
enum MovableThings: Equatable {
  case all
  /// What the network decides.
  case responses
  /// What the part does by itself.
  case inputs
  case one(String)

  /// Reads the value of `--only`.
  init(_ text: String) {
    switch text {
    case "responses": self = .responses
    case "inputs": self = .inputs
    default: self = .one(text)
    }
  }

  /// The address of the only thing; `nil` if there may be several.
  var address: String? { if case .one(let address) = self { address } else { nil } }

  /// Whether a thing is one of them.
  func contains(_ kind: ScriptedThing.Kind, _ address: String) -> Bool {
    switch self {
    case .all: true
    case .responses: kind == .response
    case .inputs: kind != .response
    case .one(let only): address == only
    }
  }
}
