/// The outcomes of all arrangements of a diagram, as the page reads them.
struct Table: Encodable {
  struct Input: Encodable {
    let name: String
    let marbles: [String]
    /// `finish` or `failure`, if the end moves too.
    let end: String?
  }

  struct Goal: Encodable {
    let text: String
    var out: [String]?
    var drops: [String]?
    var at: At?
    var by: Int?
    var count: Int?
    var endsBy: Int?
  }

  struct At: Encodable {
    let text: String
    let time: Int
  }

  /// `[text, time, trigger, from…]`: the trigger is the number of a marble, -1 for a timer, or -2
  /// for an end.
  struct Value: Encodable {
    let value: Outcome.Value

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(value.text)
      try list.encode(value.time)
      switch value.trigger {
      case .marble(let number): try list.encode(number)
      case .timer: try list.encode(-1)
      case .end: try list.encode(-2)
      }
      for number in value.from { try list.encode(number) }
    }
  }

  struct Row: Encodable {
    let end: Int
    /// Whether it ends with a failure.
    let fails: Bool?
    let values: [Value]
    /// The streams inside of the operator, if there are any.
    let inners: [Inner]?
  }

  struct Inner: Encodable {
    let name: String
    let marble: Int?
    let start: Int
    let end: Int
    /// `finished`, `failed`, `cancelled`, or `nil` if it goes on.
    let ending: String?
    let values: [At]
  }

  /// A mistake in a diagram, in one line.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let page: String
  let code: String
  let lead: String
  let inputs: [Input]
  let slots: Int
  let slot: Int
  let end: Int
  let start: [Int]
  let goals: [Goal]
  /// The distinct outcomes.
  let outcomes: [Row]
  /// For each arrangement, the place of its outcome.
  let runs: [Int]

  /// Runs the operator for each arrangement.
  ///
  /// - Throws: ``Failure`` if a goal can't be reached, or is reached at the start.
  init(_ diagram: Diagram) throws {
    var places: [Outcome: Int] = [:]
    var distinct: [Outcome] = []
    runs = diagram.arrangements.map { arrangement in
      let outcome = diagram.outcome(of: arrangement)
      if let place = places[outcome] { return place }
      places[outcome] = distinct.count
      distinct.append(outcome)
      return distinct.count - 1
    }
    let atStart = diagram.outcome(of: diagram.start)
    for (text, goal) in diagram.goals {
      guard distinct.contains(where: { goal.isReached(by: $0, from: atStart, in: diagram) }) else {
        throw Failure(description: "\(diagram.page): no arrangement reaches the goal: \(text)")
      }
      guard !goal.isReached(by: atStart, from: atStart, in: diagram) else {
        throw Failure(description: "\(diagram.page): the start reaches the goal: \(text)")
      }
    }
    page = diagram.page
    code = diagram.code
    lead = diagram.lead
    inputs = diagram.inputs.map {
      Input(name: $0.name, marbles: $0.marbles, end: $0.end == .fixed ? nil : $0.end.rawValue)
    }
    slots = diagram.slots
    slot = Diagram.slot
    end = diagram.end
    start = diagram.start.flatMap { $0 }
    goals = diagram.goals.map { text, goal in
      switch goal {
      case .out(let texts): Goal(text: text, out: texts)
      case .drops(let texts): Goal(text: text, drops: texts)
      case .at(let value, let time): Goal(text: text, at: At(text: value, time: time))
      case .by(let time): Goal(text: text, by: time, count: atStart.values.count)
      case .endsBy(let time, let count): Goal(text: text, count: count, endsBy: time)
      }
    }
    outcomes = distinct.map {
      Row(
        end: $0.end, fails: $0.fails ? true : nil, values: $0.values.map(Value.init),
        inners: $0.inners.isEmpty ? nil : $0.inners.map(Inner.init))
    }
  }
}

extension Table.Inner {
  fileprivate init(_ inner: Outcome.Inner) {
    (name, marble) = (inner.name, inner.marble)
    (start, end, ending) = (inner.start, inner.end, inner.ending?.rawValue)
    values = inner.values.map { Table.At(text: $0.text, time: $0.time) }
  }
}
