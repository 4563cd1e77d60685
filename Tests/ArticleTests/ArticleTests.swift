import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

/// Each pipeline of the articles, run over a stubbed session: its whole history.
@Suite struct ArticleTests {
  let clock = VirtualTimeScheduler()
  let network: StubNetwork
  let session: URLSession
  let url = URL(string: "https://library.example.com/books/1")!
  let book = Book(title: "Sketch", shelf: "B7")
  let answer = Answer.json(
    #"{"title": "Sketch", "shelf": "B7"}"#, after: .milliseconds(20))

  init() {
    network = StubNetwork(clock: clock)
    session = network.makeSession()
  }

  private var requests: [String] {
    network.events.compactMap {
      guard case .started(let method, let url) = $0.kind else { return nil }
      return "\(method) \(url)"
    }
  }

  @Test func decodesAfterALookAtTheStatus() throws {
    let lines = Lines(clock)
    network.stub(.get, url.absoluteString, answers: answer)
    let cancellable =
      session
      .dataTaskPublisher(for: url)
      .tryMap { element -> Data in
        guard let httpResponse = element.response as? HTTPURLResponse,
          httpResponse.statusCode == 200
        else {
          throw URLError(.badServerResponse)
        }
        return element.data
      }
      .decode(type: Book.self, decoder: JSONDecoder())
      .sink(
        receiveCompletion: { lines.add("completion: \($0)") },
        receiveValue: { book in lines.add("book: \(book.title)") })
    network.run()
    #expect(lines.all == ["20ms book: Sketch", "20ms completion: finished"])
    cancellable.cancel()
  }

  @Test func triesAgainAndThenAsksAnotherSession() throws {
    let lines = Lines(clock)
    let mirror = URL(string: "https://mirror.example.com/books/1")!
    let mirrorSession = network.makeSession()
    network.stub(
      .get, url.absoluteString, answers: .failure(.timedOut, after: .seconds(1)),
      .failure(.timedOut, after: .seconds(1)))
    network.stub(.get, mirror.absoluteString, answers: answer)
    let publisher =
      session
      .dataTaskPublisher(for: url)
      .retry(1)
      .catch { _ in
        mirrorSession.dataTaskPublisher(for: mirror)
      }
    let cancellable =
      publisher
      .sink(
        receiveCompletion: { lines.add("completion: \($0)") },
        receiveValue: { lines.add("\($0.data.count) bytes") })
    network.run()
    #expect(lines.all == ["2020ms 34 bytes", "2020ms completion: finished"])
    #expect(
      requests == [
        "GET https://library.example.com/books/1", "GET https://library.example.com/books/1",
        "GET https://mirror.example.com/books/1",
      ])
    cancellable.cancel()
  }

  @Test func movesTheSinkToAQueue() throws {
    let lines = Lines(clock)
    let queue = DispatchQueue(label: "sink")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    network.fence(queue)
    network.stub(.get, url.absoluteString, answers: answer)
    let cancellable =
      session
      .dataTaskPublisher(for: url)
      .receive(on: queue)
      .sink(
        receiveCompletion: { lines.add("\($0), \(DispatchQueue.getSpecific(key: key) == true)") },
        receiveValue: {
          lines.add("\($0.data.count), \(DispatchQueue.getSpecific(key: key) == true)")
        })
    network.run()
    #expect(lines.all == ["20ms 34, true", "20ms finished, true"])
    cancellable.cancel()
  }

  @Test func sharesOneLoadAndPrintsTheProof() throws {
    let lines = Lines(clock)
    network.stub(.get, url.absoluteString, answers: answer)
    let shared =
      session
      .dataTaskPublisher(for: url)
      .map { $0 }
      .print("load", to: ShortLines(lines: lines))
      .share()
    let cancellable1 =
      shared
      .tryMap {
        guard $0.data.count > 0 else { throw URLError(.zeroByteResource) }
        return $0.data
      }
      .decode(type: Book.self, decoder: JSONDecoder())
      .sink(
        receiveCompletion: { lines.add("completion 1: \($0)") },
        receiveValue: { lines.add("shelf: \($0.shelf)") })
    let cancellable2 =
      shared
      .map {
        $0.response
      }
      .sink(
        receiveCompletion: { lines.add("completion 2: \($0)") },
        receiveValue: { response in
          if let httpResponse = response as? HTTPURLResponse {
            lines.add("status: \(httpResponse.statusCode)")
          } else {
            lines.add("not HTTP")
          }
        }
      )
    network.run()
    #expect(
      lines.all == [
        "0 load: receive subscription", "0 load: request unlimited", "20ms load: receive value",
        "20ms shelf: B7", "20ms status: 200", "20ms load: receive finished",
        "20ms completion 1: finished", "20ms completion 2: finished",
      ])
    #expect(requests.count == 1)
    cancellable1.cancel()
    cancellable2.cancel()
  }

  @Test func waitsForConnect() throws {
    let lines = Lines(clock)
    network.stub(.get, url.absoluteString, answers: answer)
    let connectable =
      session
      .dataTaskPublisher(for: url)
      .map(\.data.count)
      .replaceError(with: 0)
      .share()
      .makeConnectable()
    let cancellable1 = connectable.sink { lines.add("first: \($0)") }
    let cancellable2 = connectable.sink { lines.add("second: \($0)") }
    network.run()
    #expect(requests == [])
    let connection = connectable.connect()
    network.run()
    #expect(lines.all == ["20ms first: 34", "20ms second: 34"])
    connection.cancel()
    cancellable1.cancel()
    cancellable2.cancel()
  }

  @Test(arguments: [true, false]) func assignsAPictureIfThereIsOne(arrives: Bool) throws {
    let frame = Frame()
    let queue = DispatchQueue(label: "views")
    network.fence(queue)
    network.stub(
      .get, url.absoluteString,
      answers: arrives ? .data(Data([1, 2, 3]), type: "image/png") : .failure(.badURL))
    let cancellable = session.dataTaskPublisher(for: url)
      .map { $0.data }
      .replaceError(with: Data())
      .compactMap { Cover(data: $0) }
      .receive(on: queue)
      .assign(to: \.cover, on: frame)
    network.run()
    #expect(frame.cover == (arrives ? Cover(data: Data([1, 2, 3])) : nil))
    cancellable.cancel()
  }

  @Test func postsAndSinksTheRawPair() throws {
    let lines = Lines(clock)
    network.stub(
      .post, "https://library.example.com/books", headers: ["Authorization": "Bearer 7"],
      body: .json(#"{"title": "Sketch", "shelf": "B7"}"#), answers: answer)
    let publisher = try? addBook(book, card: "7", session: session)
    let cancellable = publisher?.sink(
      receiveCompletion: { (completion) in
        switch completion {
        case .failure(let error):
          lines.add("\(error)")
        case .finished:
          lines.add("done")
        }
      },
      receiveValue: { (data, response) in
        if let string = String(data: data, encoding: .utf8) {
          lines.add(string)
        }
      })
    network.run()
    #expect(lines.all == [#"20ms {"title": "Sketch", "shelf": "B7"}"#, "20ms done"])
    cancellable?.cancel()
  }

  @Test func decodesWithoutALookAtTheStatus() throws {
    let lines = Lines(clock)
    network.stub(.post, "https://library.example.com/books", answers: answer)
    let publisher = try? addBook(book, card: "7", session: session)
    let decoder = JSONDecoder()
    let cancellable = publisher?
      .map { $0.data }
      .decode(type: Book.self, decoder: decoder)
      .sink(
        receiveCompletion: { (completion) in
          switch completion {
          case .failure(let error):
            lines.add("\(error)")
          case .finished:
            lines.add("done")
          }
        },
        receiveValue: { book in
          lines.add(book.title)
        })
    network.run()
    #expect(lines.all == ["20ms Sketch", "20ms done"])
    cancellable?.cancel()
  }

  @Test(arguments: [200, 503]) func makesAPublisherOfTheOldClient(status: Int) throws {
    let lines = Lines(clock)
    network.stub(
      .get, url.absoluteString,
      answers: .json(
        #"{"title": "Sketch", "shelf": "B7"}"#, status: status, after: .milliseconds(20)))
    let publisher = loadAsFuture(url, session: session)
    let cancellable =
      publisher
      .sink(
        receiveCompletion: { (completion) in
          switch completion {
          case .failure(let error):
            lines.add("\(error)")
          case .finished:
            lines.add("done")
          }
        },
        receiveValue: { book in
          lines.add(book.title)
        })
    network.run()
    #expect(lines.all == (status == 200 ? ["20ms Sketch", "20ms done"] : ["20ms refused(503)"]))
    cancellable.cancel()
  }

  @Test func callsTheTypedClient() throws {
    let lines = Lines(clock)
    network.stub(
      .get, "https://library.example.com/books",
      answers: .json(#"[{"title": "Sketch", "shelf": "B7"}]"#, after: .milliseconds(5)))
    network.stub(
      .delete, "https://library.example.com/books/1",
      answers: .json(#"{"reason": "lent"}"#, status: 409, after: .milliseconds(10)))
    let cancellables = [
      try books(card: "7", session: session).sink(
        receiveCompletion: { lines.add("books: \($0)") },
        receiveValue: { lines.add("books: \($0.map(\.title))") }),
      try remove(1, card: "7", session: session).sink(
        receiveCompletion: {
          if case .failure(let error) = $0 { lines.add("remove: \(error)") }
        },
        receiveValue: { lines.add("remove: \($0)") }),
    ]
    network.run()
    #expect(
      lines.all == [
        "5ms books: [\"Sketch\"]", "5ms books: finished", "10ms remove: refused(409)",
      ])
    withExtendedLifetime(cancellables) {}
  }

  @Test(arguments: [true, false]) func pipesOneCallIntoTheNext(isKnown: Bool) throws {
    let lines = Lines(clock)
    network.stub(
      .post, "https://library.example.com/cards",
      answers: isKnown
        ? .json(#"{"number": "7"}"#, after: .milliseconds(30))
        : .status(401, after: .milliseconds(30)))
    if isKnown {
      network.stub(
        .post, "https://library.example.com/books", headers: ["Authorization": "Bearer 7"],
        answers: answer)
    }
    let cancellable = logInAndAdd(book, session: session)?
      .sink(
        receiveCompletion: { (completion) in
          switch completion {
          case .failure(let error):
            lines.add("\(error)")
          case .finished:
            lines.add("done")
          }
        },
        receiveValue: { book in
          lines.add(book.title)
        })
    network.run()
    try network.verify()
    #expect(lines.all == (isKnown ? ["50ms Sketch", "50ms done"] : ["30ms refused(401)"]))
    cancellable?.cancel()
  }
}

/// What happened, with its virtual time.
final class Lines {
  private let clock: VirtualTimeScheduler
  private(set) var all: [String] = []

  init(_ clock: VirtualTimeScheduler) { self.clock = clock }

  func add(_ line: String) { all.append("\(clock.now) \(line)") }
}

/// What `print(_:to:)` writes, without what stands in parentheses: a response prints its address.
struct ShortLines: TextOutputStream {
  let lines: Lines

  mutating func write(_ text: String) {
    guard text != "", text != "\n" else { return }
    lines.add(
      String(text.prefix { $0 != "(" }.split(separator: ": (").joined())
        .trimmingCharacters(in: CharacterSet(charactersIn: " :")))
  }
}
