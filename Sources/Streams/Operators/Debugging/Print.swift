extension Publisher {
  /// Prints a line for each event that passes through, in either direction.
  ///
  ///     [1].publisher.print("numbers").sink { _ in }
  ///     // Prints "numbers: receive subscription: ([1])"
  ///     // Prints "numbers: request unlimited"
  ///     // Prints "numbers: receive value: (1)"
  ///     // Prints "numbers: receive finished"
  ///
  /// Demand that a subscriber returns for a value is printed as `(synchronous)`. The format follows
  /// Combine's `print(_:to:)`.
  ///
  /// - Parameters:
  ///   - prefix: The text at the start of each line, followed by a colon. If it's empty, lines have
  ///     no prefix.
  ///   - stream: The stream to print to, or `nil` for the standard output. Lines from different
  ///     threads don't mix.
  /// - Returns: A publisher that changes nothing else.
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream)? = nil
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// A publisher that prints each event that passes through; see ``Publisher/print(_:to:)``.
  public struct Print<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let prefix: String

    /// The stream to print to, or `nil` for the standard output.
    public let stream: (any TextOutputStream)?

    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      (self.upstream, self.prefix, self.stream) = (upstream, prefix, stream)
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let printer = LinePrinter(prefix: prefix, stream: stream)
      upstream.attach(PrintStage(downstream: subscriber, relay: PrintingRelay(printer)))
    }
  }
}

/// A stage that prints every signal and passes it on, even one that breaks the contract.
private struct PrintStage<Downstream: Subscriber>: RelayStage {
  let downstream: Downstream
  let printingRelay: PrintingRelay
  var relay: RelaySubscription { printingRelay }

  init(downstream: Downstream, relay: PrintingRelay) {
    self.downstream = downstream
    printingRelay = relay
  }

  func receive(subscription: any Subscription) {
    let printer = printingRelay.printer
    printer.print("receive subscription: (\(printer.text(of: subscription)))")
    guard relay.attach(subscription) else { return }
    downstream.receive(subscription: relay)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let printer = printingRelay.printer
    printer.print("receive value: (\(printer.text(of: input)))")
    let demand = downstream.receive(input)
    if demand > 0 { printer.print("\(demand.requestText) (synchronous)") }
    return demand
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let printer = printingRelay.printer
    switch completion {
    case .finished: printer.print("receive finished")
    case .failure(let error): printer.print("receive error: (\(printer.text(of: error)))")
    }
    _ = relay.end()
    downstream.receive(completion: completion)
  }
}

private final class PrintingRelay: RelaySubscription {
  let printer: LinePrinter

  init(_ printer: LinePrinter) {
    self.printer = printer
    super.init("Print")
  }

  override func request(_ demand: Subscribers.Demand) {
    printer.print(demand.requestText)
    forward(demand)
  }

  override func cancel() {
    printer.print("receive cancel")
    super.cancel()
  }
}

extension Subscribers.Demand {
  fileprivate var requestText: String {
    max.map { "request max: (\($0))" } ?? "request unlimited"
  }
}

/// A stream that describes values in its own way, such as the record of a run, whose texts are the
/// same in every run.
package protocol DescribingOutputStream: TextOutputStream {
  /// The text of a value, an error or a subscription.
  func text(describing value: Any) -> String
}

/// Prints one line at a time, however many threads call it.
private final class LinePrinter {
  private struct Stream: TextOutputStream {
    var base: any TextOutputStream
    mutating func write(_ text: String) { base.write(text) }
  }

  private let prefix: String
  private let describer: (any DescribingOutputStream)?
  // A gate instead of a lock, because the stream may run the user's code. The two properties below
  // are touched inside it only.
  private let gate = Gate()
  private var stream: Stream?
  private var lines: [String] = []

  init(prefix: String, stream: (any TextOutputStream)?) {
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    self.stream = stream.map(Stream.init)
    describer = stream as? any DescribingOutputStream
  }

  /// The text of a value: Swift's own, unless the stream describes it.
  func text<Value>(of value: Value) -> String {
    describer?.text(describing: value) ?? "\(value)"
  }

  func print(_ text: String) {
    let wasOutside = gate.enter()
    lines.append(prefix + text)
    // If writing a line makes the stream print another one, that one is written next.
    guard wasOutside else { return }
    while !lines.isEmpty { write(lines.removeFirst()) }
    gate.leave {}
  }

  private func write(_ line: String) {
    if stream == nil {
      Swift.print(line)
    } else {
      Swift.print(line, to: &stream!)
    }
  }
}
