import StreamsTesting

/// What a run gave, and what it should have given.
public struct Outcome {
  /// Whether the input is the page's.
  let isPage: Bool

  let given: [(name: String, marbles: MarbleString)]
  let lanes: [Lane]
  let counts: [Count]
  let letters: [Character: String]
  let problems: [String]
  private let notes: [String: Int]

  init(_ attempt: Attempt, problems: [String]) {
    isPage = attempt.isPage
    given = attempt.given
    lanes = attempt.lanes
    counts = attempt.counts
    notes = attempt.notes
    letters = attempt.letters
    self.problems = problems
  }

  var isRight: Bool {
    lanes.allSatisfy(\.isRight) && counts.allSatisfy(\.isRight) && problems.isEmpty
  }

  // MARK: For explanations

  /// A value, with the milliseconds since the start.
  public typealias Value = (text: String, time: Int)

  /// The values that came: those of the first lane, or of the one with this name.
  public func values(of lane: String? = nil) -> [Value] { values(in: find(lane).yours) }

  /// The values that were wanted.
  public func wantedValues(of lane: String? = nil) -> [Value] { values(in: find(lane).wanted) }

  /// The first value that isn't wanted where it is, in the first wrong lane.
  public var wrongValue: Value? {
    guard let lane = lanes.first(where: { !$0.isRight }), let difference = lane.difference,
      case .value(let letter)? = difference.actualSymbol
    else { return nil }
    return (letters[letter] ?? String(letter), difference.time.milliseconds)
  }

  /// The errors of the first lane that fails with another one than wanted.
  public var wrongFailure: (wanted: String, yours: String)? {
    guard let lane = lanes.first(where: { !$0.isRight }), let wanted = lane.wantedFailure,
      let yours = lane.failure, wanted != yours
    else { return nil }
    return (wanted, yours)
  }

  /// When the stream finished or failed; `nil` if it didn't.
  public func end(of lane: String? = nil) -> Int? { end(in: find(lane).yours) }

  /// When it should have finished or failed.
  public func wantedEnd(of lane: String? = nil) -> Int? { end(in: find(lane).wanted) }

  /// Whether the stream failed.
  public func hasFailed(_ lane: String? = nil) -> Bool {
    find(lane).yours.symbols.contains { $0.symbol == .failure }
  }

  /// Whether a lane is as it should be.
  public func isRight(_ lane: String) -> Bool { find(lane).isRight }

  /// The name of a lane's error; `nil` if it has none.
  public func failure(of lane: String) -> String? { find(lane).failure }

  /// Whether nothing happened in a lane.
  public func isEmpty(_ lane: String) -> Bool { find(lane).yours.symbols.isEmpty }

  /// A number that was counted.
  public func count(_ name: String) -> Int {
    guard let count = notes[name] ?? counts.first(where: { $0.name == name })?.yours else {
      fatalError("the check counts no \(name)")
    }
    return count
  }

  /// Whether one operator stands above another in the learner's stream, by the type of the stream:
  /// `Publishers.Retry<Publishers.Timeout<…>>` has its timeout above its retry. If the type is
  /// erased, the answer is false.
  ///
  /// - Parameters:
  ///   - upper: The operator, such as `timeout`.
  ///   - lower: The other one.
  ///   - lane: The lane of the stream; the first one without it.
  public func stands(_ upper: String, above lower: String, in lane: String? = nil) -> Bool {
    let type = find(lane).type
    guard let outer = type.range(of: typeName(of: lower)) else { return false }
    return type[outer.upperBound...].contains(typeName(of: upper))
  }

  /// Whether an operator stands in the learner's stream, by the type of the stream. If the type is
  /// erased, the answer is false.
  public func has(_ operator: String, in lane: String? = nil) -> Bool {
    find(lane).type.contains(typeName(of: `operator`))
  }

  /// The first of these operators in the learner's stream, in backticks: by the type of the stream
  /// in the first lane, and `nil` if that's erased.
  public func firstUsed(_ operators: String...) -> String? {
    operators.first { has($0) }.map { "`\($0)`" }
  }

  /// `Publishers.CombineLatest<` of `combineLatest`.
  private func typeName(of name: String) -> String {
    "Publishers.\(name.prefix(1).uppercased())\(name.dropFirst())<"
  }

  private func find(_ name: String?) -> Lane {
    guard let lane = lanes.first(where: { name == nil || $0.name.hasSuffix(name ?? "") }) else {
      fatalError("the check has no lane \(name ?? "")")
    }
    return lane
  }

  private func values(in marbles: MarbleString) -> [Value] {
    marbles.symbols.compactMap { placed in
      guard case .value(let letter) = placed.symbol else { return nil }
      return (letters[letter] ?? String(letter), placed.time.milliseconds)
    }
  }

  private func end(in marbles: MarbleString) -> Int? {
    marbles.symbols.first { [.finished, .failure, .cancelled].contains($0.symbol) }?
      .time.milliseconds
  }

  // MARK: What's wrong

  /// A sentence about what's wrong.
  func explanation(_ check: Check) -> String {
    (isPage ? check.explain : check.explainOthers)(self) ?? sentence
  }

  /// A sentence for mistakes that a check doesn't know.
  private var sentence: String {
    if let lane = lanes.first(where: { !$0.isRight }) { return sentence(about: lane) }
    if let count = counts.first(where: { !$0.isRight }) {
      return
        "The marbles are right, but `\(count.name)` is \(count.yours) instead of \(count.wanted)."
    }
    return "The marbles are right, but the run leaves something behind: \(problems.first ?? "")."
  }

  private func sentence(about lane: Lane) -> String {
    let place = lane.name.isEmpty ? "" : "In `\(lane.name)`: "
    guard let difference = lane.difference else {
      return place + "The failure should be `\(lane.wantedFailure ?? "")`, and it's "
        + "`\(lane.failure ?? "")`."
    }
    let time = "\(difference.time.milliseconds) ms"
    switch (difference.expectedSymbol, difference.actualSymbol) {
    case (let wanted?, let yours?):
      return place + "At \(time), you have \(name(yours)) instead of \(name(wanted))."
    case (let wanted?, nil):
      let later = lane.yours.symbols.first {
        $0.symbol == wanted && $0.time > difference.time
      }
      let late = later.map { " It comes at \($0.time.milliseconds) ms." } ?? ""
      return place + "At \(time), \(name(wanted)) is missing.\(late)"
    case (nil, let yours?):
      return place + "At \(time), you have \(name(yours)), which isn't wanted there."
    case (nil, nil): return ""
    }
  }

  private func name(_ symbol: MarbleString.Symbol) -> String {
    switch symbol {
    case .value(let letter):
      letters[letter]?.isEmpty ?? false ? "an empty text" : "`\(letters[letter] ?? String(letter))`"
    case .finished: "the end"
    case .failure: "a failure"
    case .subscription: "a subscription"
    case .cancelled: "a cancellation"
    }
  }
}

extension VirtualTime {
  var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}
