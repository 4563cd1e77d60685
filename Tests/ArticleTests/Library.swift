import StreamsFoundation

// An API client in the shapes that Apple's articles and tutorials use: the same operators in the
// same order, the same overloads, the same kinds of closures. It's compiled in the language modes
// of Swift 5 and Swift 6. A comment marks code that only Swift 6 needs.

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

final class Cover {
  let pixels: Int

  init?(data: Data) {
    if data.isEmpty { return nil }
    pixels = data.count
  }
}

final class Frame {
  private let lines: Lines
  var cover: Cover? { didSet { lines.add("\(cover?.pixels ?? 0) pixels") } }

  init(lines: Lines) { self.lines = lines }
}

let library = "https://library.example.com"

// region: requests
func makeRequest(_ path: String, method: String, card: String? = nil) throws -> URLRequest {
  guard let url = URL(string: library + path) else { throw LibraryError.badRequest }
  var request = URLRequest(url: url)
  request.httpMethod = method
  // Linux ignores a timeout passed to `URLRequest`'s initializer, so set the property. In seconds.
  request.timeoutInterval = 10
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  if let card { request.setValue("Bearer \(card)", forHTTPHeaderField: "Authorization") }
  return request
}

func addBook(
  _ book: Book, card: String, session: URLSession = URLSession.shared
) throws -> URLSession.DataTaskPublisher {
  var request = try makeRequest("/books", method: "POST", card: card)
  request.httpBody = try JSONEncoder().encode(book)
  return session.dataTaskPublisher(for: request)
}
// endregion

func logIn(
  email: String, password: String, session: URLSession = URLSession.shared
) throws -> URLSession.DataTaskPublisher {
  let credentials = Data("\(email):\(password)".utf8).base64EncodedString()
  var request = try makeRequest("/cards", method: "POST")
  request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
  return session.dataTaskPublisher(for: request)
}

func books(
  card: String, session: URLSession = URLSession.shared
) throws -> URLSession.DataTaskPublisher {
  try session.dataTaskPublisher(for: makeRequest("/books", method: "GET", card: card))
}

func remove(
  _ id: Int, card: String, session: URLSession = URLSession.shared
) throws -> URLSession.DataTaskPublisher {
  try session.dataTaskPublisher(for: makeRequest("/books/\(id)", method: "DELETE", card: card))
}

// region: validate
func check(_ data: Data, _ response: URLResponse) throws -> Data {
  guard let reply = response as? HTTPURLResponse else { throw LibraryError.noResponse }
  guard 200..<300 ~= reply.statusCode else { throw LibraryError.refused(reply.statusCode) }
  return data
}
// endregion

// The typed client: publisher, check, decode, erase. Two functions with the same name differ in
// their return types. The chain after the call decides which one the compiler picks.
// region: typed
func add(_ book: Book, card: String, session: URLSession) -> AnyPublisher<Book, Error>? {
  try? addBook(book, card: card, session: session)
    .tryMap { try check($0.data, $0.response) }
    .decode(type: Book.self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}

func books(card: String, session: URLSession) throws -> AnyPublisher<[Book], Error> {
  try books(card: card, session: session)
    .tryMap { try check($0.data, $0.response) }
    .decode(type: [Book].self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}
// endregion

func logIn(email: String, password: String, session: URLSession) throws -> AnyPublisher<Card, Error>
{
  try logIn(email: email, password: password, session: session)
    .tryMap { try check($0.data, $0.response) }
    .decode(type: Card.self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}

func remove(_ id: Int, card: String, session: URLSession) throws -> AnyPublisher<Book, Error> {
  try remove(id, card: card, session: session)
    .tryMap { try check($0.data, $0.response) }
    .decode(type: Book.self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
}

// Two calls in one: the second needs the first one's result.
// region: chain
func logInAndAdd(
  _ book: Book, email: String, password: String, session: URLSession
) -> AnyPublisher<Book, Error>? {
  try? logIn(email: email, password: password, session: session)
    .map(\.number)
    .flatMap { number in
      add(book, card: number, session: session)
        ?? Fail(error: LibraryError.badRequest).eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
}
// endregion
