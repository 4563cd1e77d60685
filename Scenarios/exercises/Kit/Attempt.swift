import StreamsTesting

/// One run of a learner's code with one input, in a world of its own. A column of its marbles is
/// 10 ms.
///
/// The first input is the one that the exercise's page shows. With the others, which the page
/// doesn't show, only the idea is right, and no answer that fits the page by chance. They come from
/// a fixed seed, so they're the same in each run.
public final class Attempt {
  static let frame = VirtualTime.Interval.milliseconds(10)
  static let end = VirtualTime.seconds(10)

  /// The world, for requests and for work at a moment.
  public let world: World

  /// The number of the input: 0 for the page's, and then 1, 2, 3.
  public let input: Int

  /// Whether the input is the page's.
  public var isPage: Bool { input == 0 }

  /// The letters of values whose text is longer than one character.
  public var letters: [Character: String] = [:]

  var given: [(name: String, marbles: MarbleString)] = []
  private(set) var lanes: [Lane] = []
  private(set) var counts: [Count] = []
  private(set) var notes: [String: Int] = [:]
  private var readers: [() -> Void] = []
  private var subscriptions: Set<AnyCancellable> = []
  var random: SeededGenerator
  /// The file whose code is on stage; `nil` if nothing is.
  private let stage: LearnersFile?

  init(in world: World, input: Int, stage: LearnersFile? = nil) {
    self.world = world
    self.stage = stage
    self.input = input
    random = SeededGenerator(seed: input)
  }

  // MARK: What should come of it

  /// Expects the values, the end and the errors of a publisher.
  ///
  /// With some of the inputs that the page doesn't show, the publisher gets a second subscriber: at
  /// the same moment, later, or one that stays when the first one leaves. Each has to get what's
  /// wanted, because the answer is a description of work, and not a run of it.
  ///
  /// - Parameters:
  ///   - publisher: The publisher, which gets a subscriber now.
  ///   - wanted: What's wanted.
  ///   - name: The name of the lane, if there are several.
  ///   - failure: The text of the error that `#` stands for.
  ///   - onlyOne: Whether it never gets a second subscriber, because the input isn't repeated for
  ///     one or because the check counts what a subscriber causes.
  public func expect<Output, Failure>(
    _ publisher: some Publisher<Output, Failure>, _ wanted: Script<some Any>, name: String = "",
    failure: String? = nil, onlyOne: Bool = false
  ) {
    let wanted = marbles(of: wanted)
    if let stage {
      let lane = name.isEmpty ? "wanted" : "\(name), wanted"
      showWanted(wanted, failure: failure, as: lane, in: stage)
    }
    func expect(from start: Int = 0, until cancellation: Int? = nil, _ place: String) {
      var symbols = wanted.symbols.map {
        MarbleString.Placed($0.symbol, at: $0.time.advanced(by: .milliseconds(start)))
      }
      if let cancellation { symbols.removeAll { $0.time.milliseconds > cancellation } }
      let failed = symbols.contains { $0.symbol == .failure }
      let index = lanes.count
      lanes.append(
        Lane(
          name: [name, place].filter { !$0.isEmpty }.joined(separator: ", "),
          wanted: MarbleString(symbols), wantedFailure: failed ? failure : nil,
          type: String(reflecting: type(of: publisher))))
      let subscribe = { [unowned self] in
        let recorder =
          if let stage {
            world.record(
              publisher, as: name.isEmpty ? "yours" : name, fileID: stage.id, line: stage.line)
          } else {
            world.record(publisher)
          }
        if let cancellation { recorder.cancel(at: .milliseconds(cancellation)) }
        readers.append { [unowned self] in
          lanes[index].yours = self.marbles(of: recorder)
          if case .failure(let error)? = recorder.completion {
            lanes[index].failure = text(of: error)
          }
        }
      }
      if start == 0 { subscribe() } else { at(start, subscribe) }
    }
    let end = wanted.symbols.last?.time.milliseconds ?? 0
    switch input % 4 {
    case 1 where !onlyOne:
      expect("the first subscriber")
      expect("the second subscriber")
    case 2 where !onlyOne:
      expect("the first subscriber")
      let start = 10 * Int.random(in: 1...4, using: &random)
      expect(from: start, "a subscriber that comes at \(start) ms")
    case 3 where !onlyOne:
      let cancellation = 10 * Int.random(in: 0...(end / 10), using: &random) + 5
      expect(until: cancellation, "a subscriber that leaves at \(cancellation) ms")
      expect("a subscriber that stays")
    default: expect("")
    }
  }

  /// Expects calls of a function that the learner's code gets, such as one that shows a line.
  ///
  /// - Returns: The function to pass.
  public func expectCalls(_ wanted: Script<String>) -> (String) -> Void {
    let calls = PassthroughSubject<String, Never>()
    expect(calls, wanted, onlyOne: true)
    return { calls.send($0) }
  }

  /// The marbles of a publisher, which gets a subscriber now. Call the result when the run is over.
  public func marbles<Output, Failure>(
    of publisher: some Publisher<Output, Failure>
  ) -> () -> MarbleString {
    let recorder = world.record(publisher)
    return { [unowned self] in marbles(of: recorder) }
  }

  func marbles<Value>(of script: Script<Value>) -> MarbleString {
    var symbols = script.values.map { value, time in
      MarbleString.Placed(.value(letter(for: stableText(value).shown)), at: .milliseconds(time))
    }
    let end = VirtualTime.milliseconds(script.end)
    switch script.ending {
    case .none: break
    case .finished: symbols.append(MarbleString.Placed(.finished, at: end))
    case .failed: symbols.append(MarbleString.Placed(.failure, at: end))
    }
    return MarbleString(symbols)
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

  /// Expects one subscription to a source, from the start on: until a moment at which it's
  /// cancelled, and otherwise until the end of the source if that has one.
  public func expectSubscription<Output, Failure>(
    to source: ColdPublisher<Output, Failure>, _ name: String, of script: Script<Output>,
    cancelledAt cancellation: Int? = nil
  ) {
    var symbols = [MarbleString.Placed(.subscription, at: .zero)]
    if let cancellation, !script.isOver(at: cancellation) {
      symbols.append(MarbleString.Placed(.cancelled, at: .milliseconds(cancellation)))
    } else if script.ending != .none {
      symbols.append(MarbleString.Placed(.finished, at: .milliseconds(script.end)))
    }
    let index = lanes.count
    lanes.append(
      Lane(name: "your subscription to \(name)", wanted: MarbleString(symbols)))
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

  /// Notes a number that isn't shown, for explanations. It's read when the run is over.
  public func note(_ name: String, _ read: @escaping () -> Int) {
    readers.append { [unowned self] in notes[name] = read() }
  }

  /// The number of requests so far.
  public var requestCount: Int {
    world.network.events.count { if case .started = $0.kind { true } else { false } }
  }

  /// Keeps a subscription until the run is over.
  public func keep(_ subscription: AnyCancellable) { subscription.store(in: &subscriptions) }

  /// Does something at a moment.
  public func at(
    _ milliseconds: Int, fileID: String = #fileID, line: Int = #line,
    _ action: @escaping () -> Void
  ) {
    world.at(.milliseconds(milliseconds), fileID: fileID, line: line, action)
  }

  func collect() {
    for read in readers { read() }
    readers = []
    subscriptions = []
  }

  /// The character of a value's text: itself, one of ``letters``, or a new one.
  private func letter(for text: String) -> Character {
    if text.count == 1, let character = text.first, MarbleString.isValue(character),
      letters[character] ?? text == text
    {
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
