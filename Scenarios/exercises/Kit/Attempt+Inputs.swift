import StreamsTesting

extension Attempt {
  // MARK: Inputs

  /// The page's choice, or one of the others.
  public func pick<Choice>(_ page: Choice, or others: [Choice]) -> Choice {
    isPage ? page : others.randomElement(using: &random) ?? page
  }

  /// The page's number, or another one.
  public func pick(_ page: Int, or others: ClosedRange<Int>) -> Int {
    isPage ? page : Int.random(in: others, using: &random)
  }

  /// A moment at which a script has neither a value nor its end, for something that the app does.
  public func moment(outside script: Script<some Any>) -> Int {
    let taken = Set(script.values.map(\.time) + (script.ending == .none ? [] : [script.end]))
    let last = taken.max() ?? 0
    return stride(from: 10, through: last + 20, by: 10).filter { !taken.contains($0) }
      .randomElement(using: &random) ?? 0
  }

  /// The page's marbles, or others with the same kinds of values.
  ///
  /// The first ones of the others are short, so that the learner sees a short one. A value is often
  /// the same as the one before it.
  ///
  /// - Parameters:
  ///   - marbles: The page's marbles.
  ///   - values: The values of letters. If values are strings, a letter stands for itself.
  ///   - others: The values of other inputs; the ones on the page without it.
  ///   - count: How many values there are in other inputs.
  ///   - gaps: How many columns are between two values in other inputs, and before the end. With 0,
  ///     some come at the same moment.
  ///   - endings: How other inputs end.
  public func script<Value>(
    _ marbles: String, _ values: [Character: Value] = [:], or others: [Value] = [],
    count: ClosedRange<Int> = 0...6, gaps: ClosedRange<Int> = 0...4,
    endings: [Script<Value>.Ending] = [.finished, .none]
  ) -> Script<Value> {
    let page = script(of: self.marbles(marbles), values)
    if isPage { return page }
    let choices = others.isEmpty ? page.values.map(\.value) : others
    let most = min(count.upperBound, max(count.lowerBound, 1 + input / 2))
    var script = Script<Value>([])
    var time = 0
    for _ in 0..<Int.random(in: count.lowerBound...most, using: &random) {
      time += 10 * Int.random(in: gaps, using: &random)
      let repeats = Int.random(in: 0..<3, using: &random) == 0
      let value = repeats ? script.values.last?.value : nil
      script.values.append((value ?? choices.randomElement(using: &random)!, time))
    }
    script.ending = endings.randomElement(using: &random) ?? page.ending
    script.end = time + 10 * Int.random(in: gaps, using: &random)
    return script
  }

  func script<Value>(
    of marbles: MarbleString, _ values: [Character: Value]
  ) -> Script<Value> {
    var script = Script<Value>([])
    for placed in marbles.symbols {
      let time = placed.time.milliseconds
      switch placed.symbol {
      case .value(let letter):
        guard let value = values[letter] ?? String(letter) as? Value else {
          fatalError("the check has no value for \(letter)")
        }
        script.values.append((value, time))
      case .finished: (script.ending, script.end) = (.finished, time)
      case .failure: (script.ending, script.end) = (.failed, time)
      case .subscription, .cancelled: fatalError("the check's script has a \(placed.symbol)")
      }
    }
    return script
  }

  // MARK: What the learner's code is given

  /// Makes a source that plays a script, whose marbles are shown first. It begins again for each
  /// subscriber.
  public func source<Output, Failure: Error>(
    _ name: String, _ script: Script<Output>, failure: Failure? = Never?.none
  ) -> ColdPublisher<Output, Failure> {
    show(name, script)
    return source(script, as: name, failure: failure)
  }

  /// Makes a source that plays a script and isn't shown.
  public func hiddenSource<Output, Failure: Error>(
    _ script: Script<Output>, failure: Failure? = Never?.none
  ) -> ColdPublisher<Output, Failure> {
    source(script, as: nil, failure: failure)
  }

  private func source<Output, Failure: Error>(
    _ script: Script<Output>, as name: String?, failure: Failure?
  ) -> ColdPublisher<Output, Failure> {
    var events = script.values.map { value, time in
      TimedEvent<Output, Failure>(.value(value), at: .milliseconds(time))
    }
    switch (script.ending, failure) {
    case (.none, _): break
    case (.finished, _): events.append(TimedEvent(.finished, at: .milliseconds(script.end)))
    case (.failed, let failure?):
      events.append(TimedEvent(.failure(failure), at: .milliseconds(script.end)))
    case (.failed, nil): fatalError("the check names no error for its script")
    }
    return world.clock.cold(events, as: name)
  }

  /// Shows a script above what's wanted.
  public func show(_ name: String, _ script: Script<some Any>) {
    given.append((name, marbles(of: script)))
  }
}
