import StreamsTesting

/// A lane of the answer.
struct Lane {
  let name: String
  let wanted: MarbleString
  var yours = MarbleString([])
  var wantedFailure: String?
  var failure: String?
  /// The type of the learner's publisher, which names its operators.
  let type: String

  init(name: String, wanted: MarbleString, wantedFailure: String? = nil, type: String = "") {
    self.name = name
    self.wanted = wanted
    self.wantedFailure = wantedFailure
    self.type = type
  }

  var difference: MarbleDifference? {
    MarbleDifference(expected: wanted, actual: yours, frame: Attempt.frame)
  }

  var isRight: Bool {
    difference == nil && (wantedFailure == nil || wantedFailure == failure)
  }
}

/// A number of the answer.
struct Count {
  let name: String
  let wanted: Int
  var yours = 0

  var isRight: Bool { wanted == yours }
}

extension MarbleString {
  /// Whether a character stands for a value, and means nothing else in marbles.
  static func isValue(_ character: Character) -> Bool {
    (try? MarbleString(parsing: String(character)))?.symbols.map(\.symbol) == [.value(character)]
  }
}

/// The name of an error, without what it holds.
func text(of error: any Error) -> String {
  if let error = error as? URLError { return "URLError.\(error.code.rawValue)" }
  let type = "\(type(of: error))"
  let text = "\(error)".prefix { $0 != "(" && $0 != ":" }
  return (text.hasPrefix(type) ? String(text) : "\(type).\(text)").shown
}

extension String {
  /// A text of the learner's code as the screen shows it: on one line, not longer than people read,
  /// and without characters that a terminal would obey.
  var shown: String {
    var text = ""
    for scalar in unicodeScalars.prefix(200) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
      // The joiner of emoji is harmless.
      case .format where scalar != "\u{200D}": text += scalar.escaped(asASCII: true)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return unicodeScalars.dropFirst(200).isEmpty ? text : text + "…"
  }
}
