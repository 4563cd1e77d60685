import Foundation
import Timeline
import TimelinePictures
import VirtualTime

/// The data of a player's page, in the form in which its scripts read it.
///
/// The keys of the JSON come in alphabetical order, so that equal runs make equal pages.
struct PlayerData: Encodable {
  struct Run: Encodable {
    /// The run's name in addresses, such as `without-switch`; `nil` for the plain run.
    let name: String?
    /// The run's flags, as the command line has them.
    let flags: String?
    var parts: [Part]
  }

  struct Part: Encodable {
    let title: String
    let events: [Event]
    let pictures: Pictures
    /// What else the part can lead to, as far as the page has room.
    var endings: [Part] = []
    /// How many more endings it has.
    var endingsLeftOut = 0
  }

  /// A part's picture as SVG elements, for a desktop and for a phone.
  struct Pictures: Encodable {
    let wide: String
    let narrow: String
  }

  struct Event: Encodable {
    let number: Int
    /// The virtual time, for readers, and in nanoseconds.
    let time: String
    let nanoseconds: Int64
    let place: Int
    let lane: String
    let role: String
    let kind: String
    /// The event as a transcript shows it.
    let text: String
    /// The event as a sentence.
    let sentence: String
    /// The requested number of values; -1 for unlimited.
    let demand: Int?
    let bytes: Int?
    let thread: String?
    let cause: Int?
    /// The values that it's made of, unless that's just its cause.
    let from: [Int]?
    let subscription: Int?
    /// The line of code that shows it: an index in `files`, and a line of that file.
    let file: Int?
    let line: Int?
    // What's going on after the event; `nil` if it's the same as after the event before.
    let pending: [Pending]?
    let pendingLeftOut: Int?
    let kept: [RunState.Kept]?
    let keptLeftOut: Int?
    let requests: [Request]?
    let demands: [Demand]?
  }

  /// Work that waits on the clock after an event.
  struct Pending: Encodable {
    let label: String?
    /// When it's due; `nil` if never.
    let due: String?
    let nanoseconds: Int64?
    let every: String?
    /// The number of the event that it was set at.
    let since: Int?
  }

  /// A request that's open after an event.
  struct Request: Encodable {
    let lane: String
    let name: String
    let since: String
    let progress: String
    let bytes: Int
  }

  /// What a row's subscriber has asked for.
  struct Demand: Encodable {
    let lane: String
    /// How many more values it takes, in words.
    let rest: String
    let delivered: Int
  }

  let scenario: String
  let summary: String
  /// The part of the first run that the page opens on.
  let opening: Int
  /// Whether the transcript names threads.
  let showsThreads: Bool
  private(set) var runs: [Run]
  private(set) var files: [SourceFiles.File]

  init(_ player: Player) {
    scenario = player.scenario.name
    summary = player.scenario.summary
    let parts = player.runs.first?.parts ?? []
    opening = parts.firstIndex { $0.recording.events.contains(where: \.brings) } ?? 0
    let showsThreads = player.scenario.showsThreads
    self.showsThreads = showsThreads
    var code = CodeIndex(player.scenario)
    runs = player.runs.enumerated().map { index, run in
      let flags = player.scenario.flags.filter(run.flags.contains)
      return Run(
        name: flags.isEmpty ? nil : flags.map(\.name).joined(separator: "-"),
        flags: flags.isEmpty ? nil : flags.map(\.argument).joined(separator: " "),
        parts: run.parts.indices.map {
          Part(run.parts[$0], idPrefix: "r\(index)p\($0)", showsThreads: showsThreads, &code)
        })
    }
    files = code.files
    addEndings(of: player, &code)
    files = code.files
  }

  /// The most bytes of data that endings may fill up. With the page's scripts, that's half a
  /// megabyte.
  private static let mostBytes = 420_000

  /// Adds endings while there's room: the first of each part, then the second of each, and so on.
  private mutating func addEndings(of player: Player, _ code: inout CodeIndex) {
    var room = Self.mostBytes - Self.json(of: self).utf8.count
    let most = player.runs.flatMap(\.parts).map(\.endings.count).max() ?? 0
    for index in 0..<most {
      for (runIndex, run) in player.runs.enumerated() {
        for (partIndex, part) in run.parts.enumerated() where index < part.endings.count {
          // The endings of a part are shown up to the first that doesn't fit.
          if runs[runIndex].parts[partIndex].endingsLeftOut > 0 {
            runs[runIndex].parts[partIndex].endingsLeftOut += 1
            continue
          }
          let ending = part.endings[index]
          let data = Part(
            Player.Part(
              recording: .init(
                title: ending.reason, events: ending.recording.events,
                waits: ending.recording.waits),
              waiting: ending.waiting, line: part.line),
            idPrefix: "r\(runIndex)p\(partIndex)o\(index)", showsThreads: showsThreads, &code)
          let size = Self.json(of: data).utf8.count
          if size <= room {
            room -= size
            runs[runIndex].parts[partIndex].endings.append(data)
          } else {
            runs[runIndex].parts[partIndex].endingsLeftOut = 1
          }
        }
      }
    }
  }

  /// The data as JSON that can stand in a `script` element.
  var json: String { Self.json(of: self) }

  private static func json(of value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("texts and whole numbers can be encoded")
    }
    // A `</script>` in a text would end the element.
    return String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c")
  }
}

extension PlayerData.Part {
  fileprivate init(
    _ part: Player.Part, idPrefix: String, showsThreads: Bool, _ code: inout CodeIndex
  ) {
    var recording = Timeline.Recording(parts: [part.recording])
    // Threads are for the panel. The picture is that of a run without them, as in the docs.
    if !showsThreads { recording.parts[0].events = part.recording.events.map(\.withoutThread) }
    title = part.recording.title ?? ""
    events = PlayerData.events(of: part.recording, part.waiting, line: part.line, &code)
    func picture(_ style: Timeline.PictureStyle) -> String {
      recording.svg(
        part: 0, style: style,
        embedding: Timeline.PictureEmbedding(
          idPrefix: "\(idPrefix)\(style.rawValue)", classPrefix: PlayerPage.classPrefix))
    }
    pictures = PlayerData.Pictures(wide: picture(.wide), narrow: picture(.narrow))
  }
}

extension PlayerData {
  /// The events of a part, with what's going on after each of them.
  ///
  /// - Parameters:
  ///   - part: The record.
  ///   - waiting: The work that waited on the clock.
  ///   - line: The line that begins the part.
  ///   - code: The files that events refer to.
  static func events(
    of part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments, line: Timeline.SourceLine,
    _ code: inout CodeIndex
  ) -> [Event] {
    let recording = Timeline.Recording(parts: [part])
    var places: [Int: CodeIndex.Place] = [:]
    var events: [Event] = []
    let sentences = recording.sentences(ofPart: 0)
    let states = RunState.states(of: part, waiting)
    for (position, event) in part.events.enumerated() {
      // An event without a line has that of its cause, or that of the part.
      let place =
        event.line.flatMap { code.place(of: $0) } ?? event.cause.flatMap { places[$0] }
        ?? code.place(of: line)
      places[event.number] = place
      events.append(
        Event(
          event, sentences[position], place, states[position],
          after: position > 0 ? states[position - 1] : nil))
    }
    return events
  }
}

extension PlayerData.Event {
  fileprivate init(
    _ event: Timeline.Event, _ sentence: String, _ place: CodeIndex.Place?, _ state: RunState,
    after former: RunState?
  ) {
    func changed<Value: Equatable>(_ path: KeyPath<RunState, Value>) -> Value? {
      let value = state[keyPath: path]
      return value == former?[keyPath: path] ? nil : value
    }
    number = event.number
    time = event.time.inMilliseconds
    nanoseconds = event.time.nanoseconds
    self.place = event.place
    lane = event.lane.name
    role = event.lane.role.rawValue
    kind = event.kind.name
    text = event.kind.description
    self.sentence = sentence
    demand = if case .request(let demand) = event.kind { demand.max ?? -1 } else { nil }
    bytes = if case .network(.chunk(let bytes)) = event.kind { bytes } else { nil }
    thread = event.thread
    cause = event.cause
    from = event.from.isEmpty || event.from == [event.cause] ? nil : event.from
    subscription = event.subscription
    file = place?.file
    line = place?.line
    pending = changed(\.work)?.map(PlayerData.Pending.init)
    pendingLeftOut = changed(\.workLeftOut)
    kept = changed(\.kept)
    keptLeftOut = changed(\.keptLeftOut)
    requests = changed(\.requests)?.map(PlayerData.Request.init)
    demands = changed(\.demands)?.map {
      PlayerData.Demand(lane: $0.lane, rest: $0.rest, delivered: $0.delivered)
    }
  }
}

extension PlayerData.Pending {
  fileprivate init(_ item: RunState.Work) {
    let work = item.work
    label = work.label
    due = work.due == .max ? nil : work.due.inMilliseconds
    nanoseconds = work.due == .max ? nil : work.due.nanoseconds
    every = work.interval?.description
    since = item.origin?.number
  }
}

extension PlayerData.Request {
  fileprivate init(_ request: RunState.Request) {
    (lane, name, progress) = (request.lane, request.name, request.progress)
    (since, bytes) = (request.since.inMilliseconds, request.bytes)
  }
}

extension Timeline.Event {
  /// Whether it brings something that a reader can follow: a value or a response. A part that only
  /// subscribes and prints has nothing to step through.
  fileprivate var brings: Bool {
    switch kind {
    case .value, .network(.response): true
    default: false
    }
  }

  fileprivate var withoutThread: Timeline.Event {
    Timeline.Event(
      number: number, time: time, place: place, lane: lane, kind: kind, cause: cause,
      from: from, subscription: subscription, line: line)
  }
}

/// The source files that events refer to, each read once.
struct CodeIndex {
  struct Place {
    let file: Int
    let line: Int
  }

  private let sources: SourceFiles
  private var indices: [String: Int?] = [:]
  private(set) var files: [SourceFiles.File] = []

  init(_ scenario: Scenario) {
    sources = scenario.sources
    _ = index(of: sources.mainID)
  }

  mutating func place(of line: Timeline.SourceLine) -> Place? {
    guard let index = index(of: line.fileID),
      let shown = files[index].shownLine(for: line.line)
    else { return nil }
    return Place(file: index, line: shown)
  }

  private mutating func index(of fileID: String) -> Int? {
    if let known = indices[fileID] { return known }
    let file = sources.read(fileID)
    indices[fileID] = .some(file == nil ? nil : files.count)
    if let file { files.append(file) }
    return file == nil ? nil : files.count - 1
  }
}

extension VirtualTime {
  /// The time for readers, such as `120 ms` or `0.5 ms`.
  fileprivate var inMilliseconds: String {
    let whole = nanoseconds / 1_000_000
    let rest = String(nanoseconds % 1_000_000)
    if rest == "0" { return "\(whole) ms" }
    let digits = String(repeating: "0", count: 6 - rest.count) + rest
    return "\(whole).\(digits.replacing(/0+$/, with: "")) ms"
  }
}
