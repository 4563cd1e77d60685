import StreamsTesting
import Testing

@testable import Recipes

// region: page
struct Page: Decodable {
  let items: [String]
  let next: String?
}
// endregion

@Suite(.world, .drawn) struct PaginateTests {
  // region: test
  @Test func `A page is loaded on demand`() throws {
    let world = try World.current
    let latency = VirtualTime.Interval.milliseconds(100)
    world.network.stub(
      .get, "https://example.com/news",
      responses: .json(#"{"items": ["a", "b"], "next": "c"}"#, after: latency))
    world.network.stub(
      .get, "https://example.com/news?from=c",
      responses: .json(#"{"items": ["c", "d"], "next": "e"}"#, after: latency))
    world.network.stub(
      .get, "https://example.com/news?from=e",
      responses: .json(#"{"items": ["e"]}"#, after: latency))

    let news = pages(next: \Page.next) { cursor in
      let query = cursor.map { "?from=\($0)" } ?? ""
      return world.session.dataTaskPublisher(
        for: URL(string: "https://example.com/news\(query)")!
      )
      .map(\.data)
      .decode(type: Page.self, decoder: JSONDecoder())
    }
    .map { $0.items.joined(separator: ", ") }
    let result = world.record(news, as: "pages", demand: .max(1))
    // The user reaches the end of the list.
    world.at(.seconds(2)) { result.request(1) }
    world.at(.seconds(3)) { result.request(.unlimited) }
    world.run()

    #expect(
      result.events == [
        .subscription(at: .zero), .value("a, b", at: .milliseconds(100)),
        .value("c, d", at: .milliseconds(2100)), .value("e", at: .milliseconds(3100)),
        .finished(at: .milliseconds(3100)),
      ])
  }
  // endregion

  /// Numbers from 1 to 3, and the cursors that were loaded.
  private func numbers(
    _ loaded: @escaping (Int?) -> Void
  ) -> AnyPublisher<Int, URLError> {
    pages(next: { $0 < 3 ? $0 + 1 : nil }) { cursor in
      loaded(cursor)
      return Just(cursor ?? 1).setFailureType(to: URLError.self)
    }
  }

  @Test func `Two pages take two requests`() throws {
    let world = try World.current
    var loaded: [Int?] = []
    let result = world.record(numbers { loaded.append($0) }.prefix(2))
    #expect(result.values == [1, 2])
    #expect(loaded == [nil, 2])
  }

  @Test(arguments: [Subscribers.Demand.unlimited, .max(1)])
  func `A flatMap behind it loads ahead`(limit: Subscribers.Demand) throws {
    let world = try World.current
    var loaded: [Int?] = []
    let result = world.record(
      numbers { loaded.append($0) }.flatMap(maxPublishers: limit) { Just($0) }, demand: .max(1))
    #expect(result.values == [1])
    #expect(loaded == [nil, 2, 3])
  }

  @Test func `Each subscription begins at the first page`() throws {
    let world = try World.current
    var loaded: [Int?] = []
    let all = numbers { loaded.append($0) }
    #expect(loaded == [])
    #expect(world.record(all).values == [1, 2, 3])
    #expect(world.record(all).values == [1, 2, 3])
    #expect(loaded == [nil, 2, 3, nil, 2, 3])
  }

  @Test func `A page that fails ends the stream`() throws {
    let world = try World.current
    let result = world.record(
      pages(next: { $0 + 1 }) { cursor in
        cursor == 2
          ? Fail(error: URLError(.timedOut)).eraseToAnyPublisher()
          : Just(cursor ?? 1).setFailureType(to: URLError.self).eraseToAnyPublisher()
      })
    #expect(
      result.events == [
        .subscription(at: .zero), .value(1, at: .zero), .failure(URLError(.timedOut), at: .zero),
      ])
  }

  @Test func `A cancellation cancels the page that's being loaded`() throws {
    let world = try World.current
    let page = world.cold("-----a|")
    let result = world.record(pages(next: { $0 }) { (_: String?) in page })
    world.at(.milliseconds(2)) { result.cancel() }
    world.run()
    #expect(result.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(2))])
    expectSubscriptions(page, ["^-!"])
  }

  @Test func `A thousand pages fit on the stack`() throws {
    let world = try World.current
    let result = world.record(
      pages(next: { $0 < 1000 ? $0 + 1 : nil }) { cursor in Just(cursor ?? 1) }.count())
    #expect(result.values == [1000])
  }
}
