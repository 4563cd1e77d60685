import Streams

extension Timeline.Event {
  /// The event as a sentence, such as `retry fails: networkConnectionLost.`
  ///
  /// - Parameters:
  ///   - name: The name of its lane, with its number if the lane has several rows.
  ///   - origins: The numbers of the values to name as those that it's made of.
  func sentence(inLaneNamed name: String, madeOf origins: [Int] = []) -> String {
    let sentence = sentence(about: name.onOneLine)
    guard !origins.isEmpty else { return sentence }
    let numbers = origins.map { "\($0)" }
    let last = numbers.count > 1 ? " and \(numbers[numbers.count - 1])" : ""
    let first = numbers.prefix(max(1, numbers.count - 1)).joined(separator: ", ")
    return "\(sentence.dropLast()), made of \(first)\(last)."
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
    marks(ofPart: part).map { $0.event.sentence(inLaneNamed: $0.row) }
  }

  /// The names of the rows that a part's events stand in, in the order of its events.
  ///
  /// - Parameter part: The position of the part.
  package func rowNames(ofPart part: Int) -> [String] { marks(ofPart: part).map(\.row) }

  private func marks(ofPart part: Int) -> [(event: Timeline.Event, row: String)] {
    let diagram = Diagram(parts[part])
    let marks = Array(zip(diagram.marks.map(\.event), diagram.names))
    // The diagram has the events in the order of time. A recording made by hand may have another.
    let positions = parts[part].events.indices.map { $0 }
      .stablySorted { parts[part].events[$0].time < parts[part].events[$1].time }
    var result = marks
    for (mark, position) in zip(marks, positions) { result[position] = mark }
    return result.map { ($0.0, $0.1) }
  }
}

extension Diagram {
  /// The name of each mark's row.
  var names: [String] { marks.map(name(of:)) }

  /// The name of a mark's row. A lane that has demand only isn't drawn, but has a name.
  func name(of mark: Mark) -> String {
    let isInRow = rows.indices.contains(mark.row) && rows[mark.row].lane == mark.event.lane
    return isInRow ? rows[mark.row].name : mark.event.lane.name
  }

  /// A sentence for each row, with its events. Long sentences have the first and the last event
  /// only, and say how many there are between them.
  ///
  /// - Parameter unit: The unit of the times.
  func descriptions(timesIn unit: TimeUnit) -> [String] {
    let isShort = marks.count <= 30
    let drawn = marks.filter { !$0.isHidden && !$0.event.kind.isDemand }
    let marksOfRow = Dictionary(grouping: drawn, by: \.row)
    return rows.enumerated().map { index, row in
      let events = marksOfRow[index] ?? []
      let name = row.name.onOneLine
      func phrase(_ position: Int) -> String {
        "\(events[position].event.kind.phrase) at \(unit.number(of: events[position].event.time))"
      }
      if events.count > 3, !isShort {
        return
          "\(name): \(phrase(0)), \(events.count - 2) more events, \(phrase(events.count - 1))."
      }
      let phrases = events.indices.map { position in
        // The time stands after the last event of an instant.
        let next = events.dropFirst(position + 1).first?.event.time
        let isLast = next != events[position].event.time
        return isLast ? phrase(position) : events[position].event.kind.phrase
      }
      return "\(name): \(phrases.joined(separator: ", "))."
    }
  }
}

extension Timeline.Event.Kind {
  /// The event in a word or two, without its lane.
  fileprivate var phrase: String {
    switch self {
    case .value(let text): text.inQuotationMarks
    case .printed(let text): "prints \(text.inQuotationMarks)"
    case .note(let text): "notes \(text.inQuotationMarks)"
    case .failure(let text), .network(.failed(let text)): "fails with \(text.onOneLine)"
    case .network(.started): "made"
    case .request, .subscription, .finished, .cancelled, .network: description
    }
  }
}

extension Subscribers.Demand {
  fileprivate var inWords: String {
    switch max {
    case nil: "values without limit"
    case 1: "1 value"
    case let count?: "\(count) values"
    }
  }
}

extension String {
  fileprivate var inQuotationMarks: String { "“\(onOneLine)”" }
}
