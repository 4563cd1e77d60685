import StreamsFoundation
import StubNetwork
import Testing

/// The pipelines of an API client, from completion handlers to typed publishers.
@Suite struct ClientTests {
  let stub = StubbedLibrary()
  let book = Book(title: "Sketch", shelf: "B7")
  let response = StubResponse.json(#"{"title": "Sketch", "shelf": "B7"}"#, after: .milliseconds(20))
  let onePost = [
    "0 request 1: POST /books", "20ms request 1: 200 OK",
    "20ms request 1: 34 bytes", "20ms request 1: finished",
  ]

  @Test func theOldClientCallsItsCompletionHandler() throws {
    let lines = stub.lines
    stub.network.stub(
      .get, library + "/books", responses: response, .failure(.timedOut, after: .milliseconds(5)))
    let request = try makeRequest("/books", method: "GET")
    for _ in 1...2 {
      // region: old-call
      loadOldWay(request, session: stub.session) { data, response, error in
        guard let data else { return lines.add("no data: \(error.map(reason) ?? "no error")") }
        do {
          let book = try JSONDecoder().decode(Book.self, from: data)
          lines.add("\(book.title), \(response?.statusLine ?? "no response")")
        } catch {
          lines.add("no book: \(error)")
        }
      }
      // endregion
    }
    stub.clock.run()
    #expect(lines.all == ["5ms no data: timedOut", "20ms Sketch, status 200"])
  }

  @Test(arguments: [true, false]) func postsAndReceivesBodyAndResponse(arrives: Bool) throws {
    let lines = stub.lines
    stub.network.stub(
      .post, library + "/books",
      headers: [
        "Content-Type": "application/json", "Authorization": "Bearer 7",
      ],
      body: .json(#"{"title": "Sketch", "shelf": "B7"}"#),
      responses: arrives ? response : .failure(.notConnectedToInternet, after: .milliseconds(20)))
    // region: call
    let adding = try? addBook(book, card: "7", session: stub.session)
    let cancellable = adding?.sink(
      receiveCompletion: { completion in lines.add(ended(completion)) },
      receiveValue: { body, response in
        lines.add("\(response.statusLine), \(String(decoding: body, as: UTF8.self))")
      })
    // endregion
    stub.clock.run()
    try stub.network.verify()
    if arrives {
      #expect(
        lines.all == [#"20ms status 200, {"title": "Sketch", "shelf": "B7"}"#, "20ms finished"])
      #expect(stub.traffic == onePost)
    } else {
      #expect(lines.all == ["20ms notConnectedToInternet"])
      #expect(
        stub.traffic == [
          "0 request 1: POST /books", "20ms request 1: failed: notConnectedToInternet",
        ])
    }
    cancellable?.cancel()
  }

  @Test(arguments: [200, 500]) func withoutACheckTheStatusDoesNotMatter(status: Int) throws {
    let lines = stub.lines
    stub.network.stub(
      .post, library + "/books",
      responses: .json(
        #"{"title": "Sketch", "shelf": "B7"}"#, status: status, after: .milliseconds(20)))
    // region: decode
    let adding = try? addBook(book, card: "7", session: stub.session)
    let cancellable = adding?
      .map(\.data)
      .decode(type: Book.self, decoder: JSONDecoder())
      .sink(
        receiveCompletion: { lines.add(ended($0)) },
        receiveValue: { book in lines.add(book.title) })
    // endregion
    stub.clock.run()
    #expect(lines.all == ["20ms Sketch", "20ms finished"])
    #expect(stub.traffic.contains { $0.hasPrefix("20ms request 1: \(status) ") })
    cancellable?.cancel()
  }

  /// A real session on Linux ignores the initializer's timeout. A stub reads the property, which
  /// the initializer sets too.
  @Test(arguments: [true, false])
  func aStubFollowsBothWaysToSetATimeout(inInitializer: Bool) throws {
    let lines = stub.lines
    stub.network.stub(
      .get, library + "/books", responses: .json("[]", after: .seconds(5)))
    let url = try #require(URL(string: library + "/books"))
    var request = URLRequest(url: url)
    if inInitializer {
      request = URLRequest(url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 2)
    } else {
      request.timeoutInterval = 2
    }
    let cancellable = stub.session.dataTaskPublisher(for: request)
      .sink(receiveCompletion: { lines.add(ended($0)) }, receiveValue: { lines.add("\($0.data)") })
    stub.clock.run()
    #expect(lines.all == ["2s timedOut"])
    cancellable.cancel()
  }

  @Test(
    arguments: [
      (200, ["20ms Sketch", "20ms finished"]), (503, ["20ms refused(503)"]),
      (nil, ["20ms networkConnectionLost"]),
    ] as [(Int?, [String])])
  func aFutureWrapsTheOldClient(status: Int?, outcome: [String]) throws {
    let lines = stub.lines
    stub.network.stub(
      .get, library + "/books/1",
      responses: status.map {
        .json(#"{"title": "Sketch", "shelf": "B7"}"#, status: $0, after: .milliseconds(20))
      } ?? .failure(.networkConnectionLost, after: .milliseconds(20)))
    let publisher = loadAsFuture(
      try makeRequest("/books/1", method: "GET"), session: stub.session)
    stub.clock.run()
    // A future starts before you subscribe, and keeps its result.
    lines.add("loaded")
    let cancellable = publisher.sink(
      receiveCompletion: { lines.add(ended($0)) },
      receiveValue: { book in lines.add(book.title) })
    #expect(lines.all == ["20ms loaded"] + outcome)
    #expect(
      stub.traffic == [
        "0 request 1: GET /books/1"
      ]
        + (status.map {
          [
            "20ms request 1: \($0) \($0 == 200 ? "OK" : "Service Unavailable")",
            "20ms request 1: 34 bytes", "20ms request 1: finished",
          ]
        } ?? ["20ms request 1: failed: networkConnectionLost"]))
    cancellable.cancel()
  }

  @Test func theTypedClientDecodesOrFails() throws {
    let lines = stub.lines
    stub.network.stub(
      .post, library + "/books", responses: .json(#"{"title": 1}"#, after: .milliseconds(1)))
    stub.network.stub(
      .get, library + "/books", headers: ["Authorization": "Bearer 7"],
      responses: .json(#"[{"title": "Sketch", "shelf": "B7"}]"#, after: .milliseconds(5)))
    stub.network.stub(
      .delete, library + "/books/1", headers: ["Authorization": "Bearer 7"],
      responses: .status(409, after: .milliseconds(10)))
    let posting = add(book, card: "7", session: stub.session)?
      .sink(
        receiveCompletion: { completion in
          if case .failure(DecodingError.typeMismatch) = completion { lines.add("add: mismatch") }
        },
        receiveValue: { book in lines.add("add: \(book.title)") })
    let getting = try books(card: "7", session: stub.session)
      .sink(
        receiveCompletion: { lines.add("books: \(ended($0))") },
        receiveValue: { (books: [Book]) in lines.add("books: \(books.map(\.title))") })
    let deleting = try remove(1, card: "7", session: stub.session)
      .sink(
        receiveCompletion: { lines.add("remove: \(ended($0))") },
        receiveValue: { (book: Book) in lines.add("remove: \(book.title)") })
    stub.clock.run()
    try stub.network.verify()
    #expect(
      lines.all == [
        "1ms add: mismatch", #"5ms books: ["Sketch"]"#, "5ms books: finished",
        "10ms remove: refused(409)",
      ])
    withExtendedLifetime((posting, getting, deleting)) {}
  }

  @Test(arguments: [true, false]) func chainsOneCallAfterAnother(isKnown: Bool) throws {
    let lines = stub.lines
    stub.network.stub(
      .post, library + "/cards",
      headers: ["Authorization": "Basic YWRhQGV4YW1wbGUuY29tOmVuZ2luZQ=="],
      responses: isKnown
        ? .json(#"{"number": "7"}"#, after: .milliseconds(30))
        : .status(401, after: .milliseconds(30)))
    if isKnown {
      stub.network.stub(
        .post, library + "/books", headers: ["Authorization": "Bearer 7"], responses: response)
    }
    let cancellable = logInAndAdd(
      book, email: "ada@example.com", password: "engine", session: stub.session)?
      .sink(
        receiveCompletion: { lines.add(ended($0)) },
        receiveValue: { book in lines.add(book.title) })
    stub.clock.run()
    try stub.network.verify()
    if isKnown {
      #expect(lines.all == ["50ms Sketch", "50ms finished"])
      #expect(
        stub.traffic == [
          "0 request 1: POST /cards", "30ms request 1: 200 OK",
          "30ms request 1: 15 bytes", "30ms request 1: finished",
          "30ms request 2: POST /books", "50ms request 2: 200 OK",
          "50ms request 2: 34 bytes", "50ms request 2: finished",
        ])
    } else {
      #expect(lines.all == ["30ms refused(401)"])
      #expect(
        stub.traffic == [
          "0 request 1: POST /cards", "30ms request 1: 401 Unauthorized",
          "30ms request 1: finished",
        ])
    }
    cancellable?.cancel()
  }
}
