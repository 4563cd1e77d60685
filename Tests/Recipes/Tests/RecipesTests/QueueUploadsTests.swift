import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct QueueUploadsTests {
  // region: test
  @Test func `Two at a time, and one fails`() throws {
    let world = try World.current
    world.network.serve("https://example.com") { request in
      switch request.url?.lastPathComponent {
      case "a": .status(201, after: .milliseconds(500))
      case "b": .failure(.networkConnectionLost, after: .milliseconds(300))
      default: .status(201, after: .milliseconds(300))
      }
    }

    let photos = PassthroughSubject<String, Never>()
    let session = world.session
    let uploads =
      photos
      .lane("photos")
      .queueUploads { photo in
        var request = URLRequest(url: URL(string: "https://example.com/photos/\(photo)")!)
        request.httpMethod = "PUT"
        request.httpBody = Data("the photo".utf8)
        return session.dataTaskPublisher(for: request)
      }
      .map { item, result in
        switch result {
        case .success: "\(item) ok"
        case .failure: "\(item) lost"
        }
      }
    let result = world.record(uploads, as: "uploads")
    for photo in ["a", "b", "c", "d"] { photos.send(photo) }
    photos.send(completion: .finished)
    world.run()

    #expect(
      result.events == [
        .subscription(at: .zero), .value("b lost", at: .milliseconds(300)),
        .value("a ok", at: .milliseconds(500)), .value("c ok", at: .milliseconds(600)),
        .value("d ok", at: .milliseconds(800)), .finished(at: .milliseconds(800)),
      ])
  }
  // endregion

  @Test func `A limit of one keeps the results in order`() throws {
    let world = try World.current
    let result = world.record(
      ["a", "b", "c"].publisher
        .queueUploads(limit: 1) { item in
          world.cold(item == "a" ? "---1|" : "-1|", failure: URLError?.none)
        }
        .map(\.item))
    world.run()
    expectMarbles(result, "---a-b-c|")
  }

  @Test func `A cancellation cancels what runs and drops what waits`() throws {
    let world = try World.current
    let upload = world.cold("-----1|", failure: URLError?.none)
    let result = world.record(
      ["a", "b", "c"].publisher.queueUploads { _ in upload }.map(\.item))
    world.at(.milliseconds(2)) { result.cancel() }
    world.run()
    #expect(result.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(2))])
    expectSubscriptions(upload, ["^-!", "^-!"])
  }

  @Test func `The queue begins with the subscription`() throws {
    let world = try World.current
    let items = PassthroughSubject<String, Never>()
    let uploads = items.queueUploads { Just($0) }.map(\.item)
    items.send("a")
    let result = world.record(uploads)
    items.send("b")
    #expect(result.values == ["b"])
  }
}
