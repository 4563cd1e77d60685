import Streams

extension Timeline.Event {
  /// The event as a sentence, such as `retry fails: networkConnectionLost.`
  ///
  /// - Parameters:
  ///   - name: The name of its lane, with its number if the lane has several rows.
  ///   - origins: The numbers of the values to name as those that it's made of.
  package func sentence(inLaneNamed name: String, madeOf origins: [Int] = []) -> String {
    let sentence = sentence(about: name.onOneLine)
    guard !origins.isEmpty else { return sentence }
    return "\(sentence.dropLast()), made of \(origins.map { "\($0)" }.listed)."
  }

  private func sentence(about name: String) -> String {
    switch kind {
    case .subscription: "\(name) gets a subscriber."
    case .request(let demand): "\(name) is asked for \(demand.inWords)."
    case .value(let text): "\(name) delivers \(text.inQuotationMarks)."
    case .finished, .network(.finished): "\(name) finishes."
    case .failure(let text), .network(.failed(let text)): "\(name) fails: \(text.onOneLine)."
    case .cancelled, .network(.cancelled(0)): "\(name) is cancelled."
    case .note(let text): "\(name) notes: \(text.onOneLine)"
    case .printed(let text): "\(name) prints: \(text.onOneLine)"
    case .network(.started(let method, let url)):
      "\(name) is made: \(method.onOneLine) \(url.onOneLine)"
    case .network(.waiting): "\(name) waits for connectivity."
    case .network(.sent): "\(name) is sent."
    case .network(.response), .network(.chunk): "\(name) gets \(kind.description)."
    case .network(.cancelled): "\(name) is \(kind.description)."
    }
  }
}

extension Timeline.Recording {
  /// The events of a part as sentences, in the order of its events.
  ///
  /// A lane that has several lives at the same time is called by its row's name, such as `load 2`.
  ///
  /// - Parameter part: The position of the part.
  package func sentences(ofPart part: Int) -> [String] {
    zip(parts[part].events, rowNames(ofPart: part)).map { $0.sentence(inLaneNamed: $1) }
  }

  /// The names of the rows that a part's events stand in, in the order of its events.
  ///
  /// - Parameter part: The position of the part.
  package func rowNames(ofPart part: Int) -> [String] {
    let lanes = LaneRows(parts[part])
    return lanes.events.indices.map(lanes.name(ofEvent:))
  }
}

extension Subscribers.Demand {
  var inWords: String {
    switch max {
    case nil: "values without limit"
    case 1: "1 value"
    case let count?: "\(count) values"
    }
  }
}

extension String {
  package var inQuotationMarks: String { "“\(onOneLine)”" }
}
