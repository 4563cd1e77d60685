import StreamsTesting

/// One run of a learner's code, in a world of its own. A column of its marbles is 10 ms.
public final class Attempt {
  static let frame = VirtualTime.Interval.milliseconds(10)
  static let end = VirtualTime.seconds(10)

  /// The world, for requests and for work at a moment.
  public let world: World

  /// The letters of values whose text is longer than one character.
  public var letters: [Character: String] = [:]

  private(set) var given: [(name: String, marbles: MarbleString)] = []
  private(set) var lanes: [Lane] = []
  private(set) var counts: [Count] = []
  private var readers: [() -> Void] = []
  private var subscriptions: Set<AnyCancellable> = []

  init(in world: World) { self.world = world }

  // MARK: What the learner's code is given

  /// Makes a source, whose marbles are shown first. It begins again for each subscriber.
  ///
  /// - Parameters:
  ///   - name: The name of the source.
  ///   - marbles: The marbles.
  ///   - values: The values of letters. If values are strings, a letter stands for itself.
  ///   - failure: The error of `#`.
  public func source<Output, Failure: Error>(
    _ name: String, _ marbles: String, _ values: [Character: Output] = [Character: String](),
    failure: Failure? = Never?.none
  ) -> ColdPublisher<Output, Failure> {
    show(name, marbles)
    return hiddenSource(marbles, values, failure: failure)
  }

  /// Makes a source that isn't shown, such as the work of one value.
  public func hiddenSource<Output, Failure: Error>(
    _ marbles: String, _ values: [Character: Output] = [Character: String](),
    failure: Failure? = Never?.none
  ) -> ColdPublisher<Output, Failure> {
    world.cold(marbles, values, failure: failure, frame: Self.frame)
  }

  /// Shows marbles above those that are wanted.
  public func show(_ name: String, _ marbles: String) {
    given.append((name, self.marbles(marbles)))
  }

  // MARK: What should come of it

  /// Expects the values, the end and the errors of a publisher.
  ///
  /// - Parameters:
  ///   - publisher: The publisher, which gets a subscriber now.
  ///   - marbles: What's wanted. Each value is one character: its own text, or one of ``letters``.
  ///   - name: The name of the lane, if there are several.
  ///   - failure: The text of the error that `#` stands for.
  public func expect<Output, Failure>(
    _ publisher: some Publisher<Output, Failure>, _ marbles: String, name: String = "",
    failure: String? = nil
  ) {
    let recorder = world.record(publisher)
    let index = lanes.count
    lanes.append(Lane(name: name, wanted: self.marbles(marbles), wantedFailure: failure))
    readers.append { [unowned self] in
      lanes[index].yours = self.marbles(of: recorder)
      if case .failure(let error)? = recorder.completion {
        lanes[index].failure = text(of: error)
      }
    }
  }

  /// Expects calls of a function that the learner's code gets, such as one that shows a line.
  ///
  /// - Returns: The function to pass.
  public func expectCalls(_ marbles: String) -> (String) -> Void {
    let calls = PassthroughSubject<String, Never>()
    expect(calls, marbles)
    return { calls.send($0) }
  }

  /// The marbles of a publisher, which gets a subscriber now. Call the result when the run is over.
  public func marbles<Output, Failure>(
    of publisher: some Publisher<Output, Failure>
  ) -> () -> MarbleString {
    let recorder = world.record(publisher)
    return { [unowned self] in marbles(of: recorder) }
  }

  private func marbles<Output, Failure>(of recorder: Recorder<Output, Failure>) -> MarbleString {
    let events = recorder.events.filter { event in
      switch event.kind {
      case .subscription, .cancelled: false
      case .value, .finished, .failure: true
      }
    }
    return MarbleString(events) { letter(for: stableText($0).shown) }
  }

  /// Expects subscriptions to a source: `^` for the start, and then `!` for the cancellation, or
  /// `|` for the end of the source.
  public func expectSubscription<Output, Failure>(
    to source: ColdPublisher<Output, Failure>, _ name: String, _ marbles: String
  ) {
    let index = lanes.count
    lanes.append(Lane(name: "your subscription to \(name)", wanted: self.marbles(marbles)))
    readers.append { [unowned self] in
      let symbols = source.subscriptions.flatMap { MarbleString($0).symbols }
      lanes[index].yours = MarbleString(symbols)
    }
  }

  /// Expects a number, which is read when the run is over.
  public func expectCount(_ name: String, _ wanted: Int, _ read: @escaping () -> Int) {
    let index = counts.count
    counts.append(Count(name: name, wanted: wanted))
    readers.append { [unowned self] in counts[index].yours = read() }
  }

  /// The number of requests so far.
  public var requestCount: Int {
    world.network.events.count { if case .started = $0.kind { true } else { false } }
  }

  /// Keeps a subscription until the run is over.
  public func keep(_ subscription: AnyCancellable) { subscription.store(in: &subscriptions) }

  /// Does something at a moment.
  public func at(_ milliseconds: Int, _ action: @escaping () -> Void) {
    world.at(.milliseconds(milliseconds), action)
  }

  func collect() {
    for read in readers { read() }
    readers = []
    subscriptions = []
  }

  /// The character of a value's text: itself, one of ``letters``, or a new one.
  private func letter(for text: String) -> Character {
    if text.count == 1, let character = text.first, MarbleString.isValue(character) {
      return character
    }
    if let known = letters.first(where: { $0.value == text }) { return known.key }
    let free = "zyxwvutsrqponmlkjihgfedcba".first { letters[$0] == nil } ?? "?"
    letters[free] = text
    return free
  }

  /// Reads marbles.
  public func marbles(_ marbles: String) -> MarbleString {
    do {
      return try MarbleString(parsing: marbles, frame: Self.frame)
    } catch {
      fatalError("\(error)")
    }
  }
}

/// A lane of the answer.
struct Lane {
  let name: String
  let wanted: MarbleString
  var yours = MarbleString([])
  var wantedFailure: String?
  var failure: String?

  init(name: String, wanted: MarbleString, wantedFailure: String? = nil) {
    self.name = name
    self.wanted = wanted
    self.wantedFailure = wantedFailure
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
private func text(of error: any Error) -> String {
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
