import StreamsTesting

/// A diagram on the page of an operator, whose input marbles a reader moves from slot to slot.
struct Diagram: Sendable {
  struct Input: Sendable {
    let name: String
    /// The texts of its marbles, in order. Several may have one text.
    let marbles: [String]
    var end = End.fixed

    /// Its marbles, and its end if that moves too.
    var itemCount: Int { marbles.count + (end == .fixed ? 0 : 1) }

    /// The number of slots for its items. A movable end can stand behind the last slot.
    func slotCount(of slots: Int) -> Int { slots + (end == .fixed ? 0 : 1) }
  }

  /// How an input ends.
  enum End: String, Sendable {
    /// It finishes after the last slot.
    case fixed
    /// It finishes where the reader puts its end.
    case finish
    /// It fails where the reader puts its end.
    case failure
  }

  /// Something to try, and how to see that it's done.
  enum Goal: Sendable {
    /// These values come out, and no others.
    case out([String])
    /// These marbles lead to no value.
    case drops([String])
    /// This value comes out at a time, in milliseconds.
    case at(String, Int)
    /// As many values come out as at the start, and the last one by a time, in milliseconds.
    case by(Int)
    /// The output ends by a time, in milliseconds, with at least as many values.
    case endsBy(Int, values: Int = 0)

    /// - Parameter start: The outcome of the arrangement at the start.
    func isReached(by outcome: Outcome, from start: Outcome, in diagram: Diagram) -> Bool {
      switch self {
      case .out(let texts): outcome.values.map(\.text) == texts
      case .at(let text, let time):
        outcome.values.contains { $0.text == text && $0.time == time }
      case .by(let time):
        outcome.values.count == start.values.count && (outcome.values.last?.time ?? 0) <= time
      case .endsBy(let time, let count): outcome.end <= time && outcome.values.count >= count
      case .drops(let texts):
        texts.allSatisfy { text in
          let ids = diagram.items.indices.filter { diagram.items[$0] == text }
          return !outcome.values.contains { !Set($0.from).isDisjoint(with: ids) }
        }
      }
    }
  }

  typealias Source = AnyPublisher<String, Lost>

  /// The error of an input that fails.
  struct Lost: Error {}

  /// The page, such as `debounce`.
  let page: String
  /// Tells apart several diagrams of one page.
  var variant: String?
  /// The operator as code.
  let code: String
  /// What it does here, in a sentence.
  let lead: String
  let inputs: [Input]
  /// The number of slots of each input.
  let slots: Int
  /// The slots where the marbles, and an end that moves, begin: one list for each input.
  let start: [[Int]]
  let goals: [(text: String, goal: Goal)]
  /// Applies the operator to the inputs.
  let run: @Sendable (World, [Source]) -> Source

  /// The texts of all marbles, by number; `nil` for an end that moves.
  var items: [String?] {
    inputs.flatMap { input in
      input.marbles.map(Optional.some) + (input.end == .fixed ? [] : [nil])
    }
  }

  /// The name of the table's file.
  var name: String { variant.map { "\(page)--\($0)" } ?? page }

  /// The length of a slot. The first slot is one length after the subscription.
  static let slot = 100

  /// When an input ends whose end doesn't move, in milliseconds.
  var end: Int { (slots + 1) * Self.slot }
}
