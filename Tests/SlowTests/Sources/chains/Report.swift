import Streams

/// Records what a chain delivers, and prints it in one line at the end.
final class Report {
  private let name: String
  private var deliveries: [String] = []
  private var end = "no end"

  private init(_ name: String) { self.name = name }

  func value<Value>(_ value: Value) { deliveries.append("\(value)") }

  func completion<Failure>(_ completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: end = "finished"
    case .failure(let error): end = "failed with \(error)"
    }
  }

  /// Sends the numbers from 1 to 12 and a completion through a chain, and prints what it delivers.
  ///
  /// - Parameter attach: Makes the chain, and attaches the report to it. There the compiler sees
  ///   the whole chain, from the subject to the sink.
  static func print(
    _ name: String, attach: (PassthroughSubject<Int, Never>, Report) -> AnyCancellable
  ) {
    let numbers = PassthroughSubject<Int, Never>()
    let report = Report(name)
    let cancellable = attach(numbers, report)
    for number in 1...12 { numbers.send(number) }
    numbers.send(completion: .finished)
    cancellable.cancel()
    Swift.print(
      "\(report.name): \(report.deliveries.joined(separator: " ")), \(report.end)")
  }
}

/// The failure of the chains that could fail.
struct ChainError: Error {}

/// A stream that drops everything printed to it.
struct Silence: TextOutputStream {
  mutating func write(_ text: String) {}
}

/// Turns numbers into texts and back.
struct DecimalCoder: TopLevelEncoder, TopLevelDecoder {
  func encode<Value: Encodable>(_ value: Value) throws -> String { "\(value)" }

  func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    guard let value = Int(text) as? Value else { throw ChainError() }
    return value
  }
}
