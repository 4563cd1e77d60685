import StreamsFoundation

// Code as articles on URLSession and Combine write theirs: the same operators in the same order,
// the same overloads, the same shapes of closures. It is compiled in the language modes of Swift 5
// and Swift 6; what Swift 6 asks for in addition is marked.

struct Book: Codable, Equatable {
  let title: String
  let shelf: String
}

struct Card: Codable, Equatable {
  let number: String
}

enum LibraryError: Error, Equatable {
  case badRequest
  case noResponse
  case refused(Int)
  case nothing
}

final class Cover: Equatable {
  let pixels: Int
  init?(data: Data) {
    if data.isEmpty { return nil }
    pixels = data.count
  }
  static func == (lhs: Cover, rhs: Cover) -> Bool { lhs.pixels == rhs.pixels }
}

final class Frame {
  var cover: Cover?
}

let library = "https://library.example.com"

// Requests, built step by step.
func makeRequest(_ path: String, method: String, card: String? = nil) throws -> URLRequest {
  guard let url = URL(string: library + path) else {
    throw LibraryError.badRequest
  }
  var headers = [
    "Content-Type": "application/json",
    "cache-control": "no-cache",
  ]
  if let card { headers["Authorization"] = "Bearer \(card)" }
  var request = URLRequest(
    url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 10.0)
  request.httpMethod = method
  request.allHTTPHeaderFields = headers
  return request
}

func addBook(
  _ book: Book, card: String, session: URLSession
) throws -> URLSession.DataTaskPublisher {
  let encoder = JSONEncoder()
  guard let body = try? encoder.encode(book) else {
    throw LibraryError.badRequest
  }
  var request = try makeRequest("/books", method: "POST", card: card)
  request.httpBody = body as Data
  return session.dataTaskPublisher(for: request)
}

func logIn(session: URLSession) throws -> URLSession.DataTaskPublisher {
  let request = try makeRequest("/cards", method: "POST")
  return session.dataTaskPublisher(for: request)
}

func check(_ data: Data, _ response: URLResponse) throws -> Data {
  guard let httpResponse = response as? HTTPURLResponse else {
    throw LibraryError.noResponse
  }
  guard (200..<300).contains(httpResponse.statusCode) else {
    throw LibraryError.refused(httpResponse.statusCode)
  }
  return data
}

// The typed client: publisher, check, decode, erase.
func add(_ book: Book, card: String, session: URLSession) -> AnyPublisher<Book, Error>? {
  return try? addBook(book, card: card, session: session)
    .tryMap { try check($0.data, $0.response) }
    .decode(type: Book.self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}

func card(session: URLSession) throws -> AnyPublisher<Card, Error> {
  return try logIn(session: session)
    .tryMap { try check($0.data, $0.response) }
    .decode(type: Card.self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}

func books(card: String, session: URLSession) throws -> AnyPublisher<[Book], Error> {
  return try session.dataTaskPublisher(for: makeRequest("/books", method: "GET", card: card))
    .tryMap { try check($0.data, $0.response) }
    .decode(type: [Book].self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}

func remove(_ id: Int, card: String, session: URLSession) throws -> AnyPublisher<Book, Error> {
  return
    try session
    .dataTaskPublisher(for: makeRequest("/books/\(id)", method: "DELETE", card: card))
    .tryMap { try check($0.data, $0.response) }
    .decode(type: Book.self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}

// Two calls in one: the second needs what the first has brought.
func logInAndAdd(_ book: Book, session: URLSession) -> AnyPublisher<Book, Error>? {
  return try? card(session: session)
    .map { card -> String in
      return card.number
    }
    .flatMap { (number) -> AnyPublisher<Book, Error> in
      guard let publisher = add(book, card: number, session: session) else {
        return Fail(error: LibraryError.badRequest).eraseToAnyPublisher()
      }
      return publisher
    }
    .eraseToAnyPublisher()
}

// The older client, and a publisher made of it.
func loadOldWay(
  _ url: URL, session: URLSession,
  completion: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void
) {
  let task = session.dataTask(with: url, completionHandler: completion)
  task.resume()
}

func loadAsFuture(_ url: URL, session: URLSession) -> Future<Book, Error> {
  let future = Future<Book, Error>.init { (promise) in
    // Swift 6: the completion handler is `@Sendable`, and a promise does not say that it is.
    nonisolated(unsafe) let promise = promise
    let completion: @Sendable (Data?, URLResponse?, Error?) -> Void = { (data, response, error) in
      guard let httpResponse = response as? HTTPURLResponse else {
        promise(.failure(LibraryError.noResponse))
        return
      }
      guard (200..<300).contains(httpResponse.statusCode) else {
        promise(.failure(LibraryError.refused(httpResponse.statusCode)))
        return
      }
      do {
        if let data = data {
          promise(.success(try JSONDecoder().decode(Book.self, from: data)))
        } else {
          promise(.failure(LibraryError.nothing))
        }
      } catch (let error) {
        promise(.failure(error))
      }
    }
    loadOldWay(url, session: session, completion: completion)
  }
  return future
}

// What hops to the main thread is compiled here and run by the scenarios: a test has no main loop.
func compileOnly(_ url: URL, _ session: URLSession, _ frame: Frame) -> [AnyCancellable] {
  [
    session
      .dataTaskPublisher(for: url)
      .receive(on: DispatchQueue.main)
      .sink(
        receiveCompletion: { print("Completion: \($0).") },
        receiveValue: { print("Data: \($0.data).") }),
    session
      .dataTaskPublisher(for: url)
      .receive(on: RunLoop.main)
      .sink(
        receiveCompletion: { print("Completion: \($0).") },
        receiveValue: { print("Data: \($0.data).") }),
    URLSession.shared.dataTaskPublisher(for: url)
      .map { $0.data }
      .replaceError(with: Data())
      .compactMap { Cover(data: $0) }
      .receive(on: DispatchQueue.main)
      .assign(to: \.cover, on: frame),
  ]
}
