import StreamsFoundation
import StubNetwork
import Testing

/// The pipelines of the article on a client for an API, in the order of the article.
@Suite struct ClientTests {
  let stub = StubbedLibrary()
  let book = Book(title: "Sketch", shelf: "B7")
  let answer = Answer.json(#"{"title": "Sketch", "shelf": "B7"}"#, after: .milliseconds(20))
  let onePost = [
    "0 request 1: POST /books", "20ms request 1: response 200 application/json",
    "20ms request 1: chunk of 34 bytes, 34 in all", "20ms request 1: finished",
  ]

  @Test func theOldClientCallsAClosure() throws {
    let lines = stub.lines
    stub.network.stub(
      .get, library + "/books", answers: answer, .failure(.timedOut, after: .milliseconds(5)))
    let request = try makeRequest("/books", method: "GET")
    for _ in 1...2 {
      loadOldWay(request, session: stub.session) { (data, response, error) in
        let decoder = JSONDecoder()
        do {
          if let data = data {
            let book = try decoder.decode(Book.self, from: data)
            lines.add("\(book.title), \(response?.statusLine ?? "")")
          } else {
            lines.add("\(LibraryError.nothing), \((error as? URLError)?.code == .timedOut)")
          }
        } catch (let error) {
          lines.add("\(error)")
        }
      }
    }
    stub.network.run()
    #expect(lines.all == ["5ms nothing, true", "20ms Sketch, status 200"])
  }

  @Test(arguments: [true, false]) func postsAndReceivesBodyAndResponse(arrives: Bool) throws {
    let lines = stub.lines
    stub.network.stub(
      .post, library + "/books",
      headers: [
        "Content-Type": "application/json", "cache-control": "no-cache",
        "Authorization": "Bearer 7",
      ],
      body: .json(#"{"title": "Sketch", "shelf": "B7"}"#),
      answers: arrives ? answer : .failure(.notConnectedToInternet, after: .milliseconds(20)))
    let publisher = try? addBook(book, card: "7", session: stub.session)
    let cancellable = publisher?.sink(
      receiveCompletion: { (completion) in
        switch completion {
        case .failure(let error):
          lines.add("\(error.code == .notConnectedToInternet)")
        case .finished:
          lines.add("done")
        }
      },
      receiveValue: { (data, response) in
        if let string = String(data: data, encoding: .utf8) {
          lines.add(string)
        }
      })
    stub.network.run()
    try stub.network.verify()
    if arrives {
      #expect(lines.all == [#"20ms {"title": "Sketch", "shelf": "B7"}"#, "20ms done"])
      #expect(stub.traffic == onePost)
    } else {
      #expect(lines.all == ["20ms true"])
      #expect(
        stub.traffic == [
          "0 request 1: POST /books", "20ms request 1: failed notConnectedToInternet",
        ])
    }
    cancellable?.cancel()
  }

  @Test func decodesWithoutALookAtTheStatus() throws {
    let lines = stub.lines
    stub.network.stub(.post, library + "/books", answers: answer)
    let publisher = try? addBook(book, card: "7", session: stub.session)
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
    stub.network.run()
    #expect(lines.all == ["20ms Sketch", "20ms done"])
    #expect(stub.traffic == onePost)
    cancellable?.cancel()
  }

  @Test(arguments: [200, 503]) func aFutureWrapsTheOldClient(status: Int) throws {
    let lines = stub.lines
    stub.network.stub(
      .get, library + "/books/1",
      answers: .json(
        #"{"title": "Sketch", "shelf": "B7"}"#, status: status, after: .milliseconds(20)))
    let publisher = loadAsFuture(
      try makeRequest("/books/1", method: "GET"), session: stub.session)
    stub.network.run()
    // A future does not wait to be asked, and keeps its result.
    lines.add("loaded")
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
    #expect(
      lines.all == ["20ms loaded"]
        + (status == 200 ? ["20ms Sketch", "20ms done"] : ["20ms refused(503)"]))
    #expect(
      stub.traffic == [
        "0 request 1: GET /books/1", "20ms request 1: response \(status) application/json",
        "20ms request 1: chunk of 34 bytes, 34 in all", "20ms request 1: finished",
      ])
    cancellable.cancel()
  }

  @Test func theTypedClientDecodesOrRefuses() throws {
    let lines = stub.lines
    stub.network.stub(
      .post, library + "/books", answers: .json(#"{"title": 1}"#, after: .milliseconds(1)))
    stub.network.stub(
      .get, library + "/books", headers: ["Authorization": "Bearer 7"],
      answers: .json(#"[{"title": "Sketch", "shelf": "B7"}]"#, after: .milliseconds(5)))
    stub.network.stub(
      .delete, library + "/books/1", headers: ["Authorization": "Bearer 7"],
      answers: .status(409, after: .milliseconds(10)))
    let posting = add(book, card: "7", session: stub.session)?
      .sink(
        receiveCompletion: { (completion) in
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
    stub.network.run()
    try stub.network.verify()
    #expect(
      lines.all == [
        "1ms add: mismatch", #"5ms books: ["Sketch"]"#, "5ms books: finished",
        "10ms remove: refused(409)",
      ])
    withExtendedLifetime((posting, getting, deleting)) {}
  }

  @Test(arguments: [true, false]) func pipesOneCallIntoTheNext(isKnown: Bool) throws {
    let lines = stub.lines
    stub.network.stub(
      .post, library + "/cards",
      headers: ["Authorization": "Basic YWRhQGV4YW1wbGUuY29tOmVuZ2luZQ=="],
      answers: isKnown
        ? .json(#"{"number": "7"}"#, after: .milliseconds(30))
        : .status(401, after: .milliseconds(30)))
    if isKnown {
      stub.network.stub(
        .post, library + "/books", headers: ["Authorization": "Bearer 7"], answers: answer)
    }
    let cancellable = logInAndAdd(
      book, email: "ada@example.com", password: "engine", session: stub.session)?
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
    stub.network.run()
    try stub.network.verify()
    if isKnown {
      #expect(lines.all == ["50ms Sketch", "50ms done"])
      #expect(
        stub.traffic == [
          "0 request 1: POST /cards", "30ms request 1: response 200 application/json",
          "30ms request 1: chunk of 15 bytes, 15 in all", "30ms request 1: finished",
          "30ms request 2: POST /books", "50ms request 2: response 200 application/json",
          "50ms request 2: chunk of 34 bytes, 34 in all", "50ms request 2: finished",
        ])
    } else {
      #expect(lines.all == ["30ms refused(401)"])
      #expect(
        stub.traffic == [
          "0 request 1: POST /cards", "30ms request 1: response 401", "30ms request 1: finished",
        ])
    }
    cancellable?.cancel()
  }
}
