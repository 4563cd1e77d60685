import StreamsFoundation
import StubNetwork
import VirtualTime

/// What happened, with its virtual time. Not `Sendable`, as little of what closures capture is.
final class Lines {
  private let clock: VirtualTimeScheduler
  private(set) var all: [String] = []

  init(_ clock: VirtualTimeScheduler) { self.clock = clock }

  func add(_ line: String) { all.append("\(clock.now) \(line)") }
}

/// What `print(_:to:)` writes, up to the first parenthesis: a response prints its address.
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

/// A library whose network is scripted: sessions to it, what was received, and what went over it.
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

/// A queue that a test can be sure to be on.
struct MarkedQueue {
  let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  init(_ label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: true)
  }

  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// How a stream ended.
func ended(_ completion: Subscribers.Completion<some Error>) -> String {
  guard case .failure(let error) = completion else { return "finished" }
  return reason(error)
}

/// What went wrong, in words that do not depend on Foundation's.
func reason(_ error: any Error) -> String { (error as? URLError)?.code.name ?? "\(error)" }
