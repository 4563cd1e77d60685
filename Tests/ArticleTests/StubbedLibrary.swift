import StreamsFoundation
import StubNetwork
import VirtualTime

/// Lines with virtual times. It isn't `Sendable`, because most objects that closures capture
/// aren't.
final class Lines {
  private let clock: VirtualTimeScheduler
  private(set) var all: [String] = []

  init(_ clock: VirtualTimeScheduler) { self.clock = clock }

  func add(_ line: String) { all.append("\(clock.now) \(line)") }
}

/// A stream for `print(_:to:)` that cuts each line at the first parenthesis, because a response
/// prints its address in memory.
struct ShortLines: TextOutputStream {
  let lines: Lines

  mutating func write(_ text: String) {
    guard !text.isEmpty, text != "\n" else { return }
    let line = text.prefix { $0 != "(" }
    lines.add(line.trimmingCharacters(in: CharacterSet(charactersIn: " :")))
  }
}

extension URLResponse {
  var statusLine: String {
    (self as? HTTPURLResponse).map { "status \($0.statusCode)" } ?? "no HTTP response"
  }
}

/// A library on a stub network, with a session, received lines, and the network's traffic.
struct StubbedLibrary {
  let clock = VirtualTimeScheduler()
  let network: StubNetwork
  let session: URLSession
  let lines: Lines

  init() {
    network = StubNetwork(clock: clock)
    session = network.makeSession()
    lines = Lines(clock)
  }

  var traffic: [String] {
    network.events.map { $0.description.replacingOccurrences(of: library, with: "") }
  }
}

/// A queue that can tell whether the current code runs on it.
struct MarkedQueue {
  let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  init(_ label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: true)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// Describes how a stream ended.
func ended(_ completion: Subscribers.Completion<some Error>) -> String {
  guard case .failure(let error) = completion else { return "finished" }
  return reason(error)
}

/// Describes an error without Foundation's own text.
func reason(_ error: any Error) -> String {
  guard let code = (error as? URLError)?.code else { return "\(error)" }
  return switch code {
  case .badServerResponse: "badServerResponse"
  case .badURL: "badURL"
  case .cancelled: "cancelled"
  case .networkConnectionLost: "networkConnectionLost"
  case .notConnectedToInternet: "notConnectedToInternet"
  case .timedOut: "timedOut"
  default: "\(code)"
  }
}
