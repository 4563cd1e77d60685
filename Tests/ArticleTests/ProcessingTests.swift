// The empty parentheses before a closure are as in Apple's code.
// swift-format-ignore-file: NoEmptyTrailingClosureParentheses

import StreamsFoundation
import StubNetwork
import Testing

/// The pipelines of Apple's articles "Processing URL session data task results with Combine" and
/// "Controlling publishing with connectable publishers", in that order. Each test compares the
/// received values and the network traffic.
@Suite final class ProcessingTests {
  let stub = StubbedLibrary()
  let url = URL(string: library + "/books/1")!
  let bookResponse = StubResponse.json(
    #"{"title": "Sketch", "shelf": "B7"}"#, after: .milliseconds(20))
  let oneLoad = [
    "0 request 1: GET /books/1", "20ms request 1: 200 OK",
    "20ms request 1: 34 bytes", "20ms request 1: finished",
  ]

  // Properties, as in Apple's code, so that closures may use `self`.
  let mirrorSession: URLSession
  var cancellable: AnyCancellable?
  var first: AnyCancellable?
  var second: AnyCancellable?

  init() { mirrorSession = stub.network.makeSession() }

  @Test(arguments: [200, 404]) func decodesAfterCheckingTheStatus(status: Int) throws {
    let lines = stub.lines
    stub.network.stub(
      .get, url.absoluteString,
      responses: status == 200 ? bookResponse : .status(status, after: .milliseconds(20)))
    cancellable =
      stub.session
      .dataTaskPublisher(for: url)
      .tryMap() { output -> Data in
        guard let response = output.response as? HTTPURLResponse, response.statusCode == 200
        else {
          throw URLError(.badServerResponse)
        }
        return output.data
      }
      .decode(type: Book.self, decoder: JSONDecoder())
      .sink(
        receiveCompletion: { lines.add("completion: \(ended($0))") },
        receiveValue: { book in lines.add("book: \(book)") })
    stub.clock.run()
    if status == 200 {
      #expect(
        lines.all == [
          #"20ms book: Book(title: "Sketch", shelf: "B7")"#, "20ms completion: finished",
        ])
      #expect(stub.traffic == oneLoad)
    } else {
      #expect(lines.all == ["20ms completion: badServerResponse"])
      #expect(
        stub.traffic == [
          "0 request 1: GET /books/1", "20ms request 1: 404 Not Found", "20ms request 1: finished",
        ])
    }
  }

  @Test(arguments: [true, false])
  func retriesAndThenFallsBackToAnotherSession(mirrorResponds: Bool) throws {
    let lines = stub.lines
    let mirror = URL(string: library + "/mirror/1")!
    stub.network.stub(
      .get, url.absoluteString, responses: .failure(.timedOut, after: .seconds(1)),
      .failure(.networkConnectionLost, after: .seconds(1)))
    stub.network.stub(
      .get, mirror.absoluteString,
      responses: mirrorResponds ? bookResponse : .failure(.cannotFindHost))
    let publisher =
      stub.session
      .dataTaskPublisher(for: url)
      .retry(1)
      .catch() { _ in
        self.mirrorSession.dataTaskPublisher(for: mirror)
      }
    cancellable =
      publisher
      .sink(
        receiveCompletion: { lines.add("completion: \(ended($0))") },
        receiveValue: { lines.add("data: \($0.data).") })
    stub.clock.run()
    let failures = [
      "0 request 1: GET /books/1", "1s request 1: failed: timedOut",
      "1s request 2: GET /books/1", "2s request 2: failed: networkConnectionLost",
      "2s request 3: GET /mirror/1",
    ]
    if mirrorResponds {
      #expect(lines.all == ["2020ms data: 34 bytes.", "2020ms completion: finished"])
      #expect(
        stub.traffic == failures + [
          "2020ms request 3: 200 OK",
          "2020ms request 3: 34 bytes", "2020ms request 3: finished",
        ])
    } else {
      #expect(lines.all == ["2s completion: cannotFindHost"])
      #expect(stub.traffic == failures + ["2s request 3: failed: cannotFindHost"])
    }
  }

  @Test func movesTheSinkToAQueue() throws {
    let lines = stub.lines
    let sink = MarkedQueue("sink")
    stub.network.fence(sink.queue)
    stub.network.stub(.get, url.absoluteString, responses: bookResponse)
    cancellable =
      stub.session
      .dataTaskPublisher(for: url)
      .receive(on: sink.queue)
      .sink(
        receiveCompletion: { lines.add("\(ended($0)), there: \(sink.isCurrent)") },
        receiveValue: { lines.add("\($0.data), there: \(sink.isCurrent)") })
    stub.clock.run()
    #expect(lines.all == ["20ms 34 bytes, there: true", "20ms finished, there: true"])
    #expect(stub.traffic == oneLoad)
  }

  /// One subscriber decodes the body on a queue, and the other reads the response. `print(_:to:)`
  /// shows that there's one request.
  @Test func sharesOneLoad() throws {
    let lines = stub.lines
    let onQueue = Lines(stub.clock)
    let sink = MarkedQueue("sink")
    stub.network.fence(sink.queue)
    stub.network.stub(.get, url.absoluteString, responses: bookResponse)
    let load =
      stub.session
      .dataTaskPublisher(for: url)
      .print("load", to: ShortLines(lines: lines))
      .share()

    first =
      load
      .tryMap() {
        if $0.data.isEmpty { throw URLError(.zeroByteResource) }
        return $0.data
      }
      .decode(type: Book.self, decoder: JSONDecoder())
      .receive(on: sink.queue)
      .sink(
        receiveCompletion: { onQueue.add("completion 1: \(ended($0)), there: \(sink.isCurrent)") },
        receiveValue: { onQueue.add("shelf: \($0.shelf), there: \(sink.isCurrent)") })

    second =
      load
      .map() {
        $0.response
      }
      .sink(
        receiveCompletion: { lines.add("completion 2: \(ended($0))") },
        receiveValue: { response in
          if let response = response as? HTTPURLResponse {
            lines.add("status: \(response.statusCode)")
          } else {
            lines.add("not HTTP")
          }
        }
      )

    stub.clock.run()
    #expect(
      lines.all == [
        "0 load: receive subscription", "0 load: request unlimited", "20ms load: receive value",
        "20ms status: 200", "20ms load: receive finished", "20ms completion 2: finished",
      ])
    #expect(
      onQueue.all == ["20ms shelf: B7, there: true", "20ms completion 1: finished, there: true"])
    #expect(stub.traffic == oneLoad)
  }

  /// An empty body fails one subscriber, and the other one still gets its response.
  @Test func theSubscribersOfASharedLoadEndIndependently() throws {
    let lines = stub.lines
    stub.network.stub(.get, url.absoluteString, responses: .status(204, after: .milliseconds(20)))
    let load = stub.session.dataTaskPublisher(for: url).share()
    first =
      load
      .tryMap() {
        if $0.data.isEmpty { throw URLError(.zeroByteResource) }
        return $0.data
      }
      .decode(type: Book.self, decoder: JSONDecoder())
      .sink(
        receiveCompletion: { lines.add("completion 1: \(ended($0))") },
        receiveValue: { lines.add("shelf: \($0.shelf)") })
    second =
      load
      .map() { $0.response }
      .sink(
        receiveCompletion: { lines.add("completion 2: \(ended($0))") },
        receiveValue: { response in lines.add(response.statusLine) })
    stub.clock.run()
    #expect(
      lines.all == [
        "20ms completion 1: zeroByteResource", "20ms status 204", "20ms completion 2: finished",
      ])
  }

  /// `makeConnectable()` exists only for streams that can't fail, so `replaceError(with:)` comes
  /// first.
  @Test func waitsForConnect() throws {
    let lines = stub.lines
    stub.network.stub(.get, url.absoluteString, responses: bookResponse)
    let connectable =
      stub.session
      .dataTaskPublisher(for: url)
      .map(\.data)
      .replaceError(with: Data())
      .share()
      .makeConnectable()
    first = connectable.sink { lines.add("first: \($0)") }
    stub.clock.run()
    second = connectable.sink { lines.add("second: \($0)") }
    stub.clock.run()
    #expect(lines.all == [])
    #expect(stub.traffic == [])
    cancellable = AnyCancellable(connectable.connect())
    stub.clock.run()
    #expect(lines.all == ["20ms first: 34 bytes", "20ms second: 34 bytes"])
    #expect(stub.traffic == oneLoad)
  }

  @Test(arguments: [Arrival.picture, .nothing, .failure])
  func assignsAPictureIfThereIsOne(arrival: Arrival) throws {
    let frame = Frame(lines: stub.lines)
    let views = DispatchQueue(label: "views")
    stub.network.fence(views)
    stub.network.stub(.get, url.absoluteString, responses: arrival.response)
    cancellable = stub.session.dataTaskPublisher(for: url)
      .map { $0.data }
      .replaceError(with: Data())
      .compactMap { Cover(data: $0) }
      .receive(on: views)
      .assign(to: \.cover, on: frame)
    stub.clock.run()
    #expect(stub.lines.all == (arrival == .picture ? ["20ms 3 pixels"] : []))
  }

  enum Arrival {
    case picture, nothing, failure

    var response: StubResponse {
      switch self {
      case .picture: .data(Data([1, 2, 3]), type: "image/png", after: .milliseconds(20))
      case .nothing: .status(200)
      case .failure: .failure(.badURL)
      }
    }
  }
}
