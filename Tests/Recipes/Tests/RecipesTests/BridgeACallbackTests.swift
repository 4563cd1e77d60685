import StreamsTesting
import Testing

@testable import Recipes

/// An old client: it answers through a handler, and returns a closure that cancels.
private final class OldClient {
  private(set) var log: [String] = []

  func load(
    _ name: String, handler: @escaping @Sendable (Result<String, URLError>) -> Void
  ) -> () -> Void {
    log.append("load \(name)")
    DispatchQueue.main.schedule(after: DispatchQueue.main.now.advanced(by: .milliseconds(20))) {
      handler(.success("photo of \(name)"))
      handler(.failure(URLError(.unknown)))
    }
    return { self.log.append("cancel \(name)") }
  }
}

@Suite(.world, .drawn) struct BridgeACallbackTests {
  // region: test
  @Test func `The handler's result becomes the value`() throws {
    let world = try World.current
    let client = OldClient()
    let photo = publisher { client.load("Ada", handler: $0) }
      .lane("callback")
    #expect(client.log == [])

    let result = world.record(photo.map(\.count), as: "length")
    world.run()
    #expect(client.log == ["load Ada"])
    #expect(
      result.events == [
        .subscription(at: .zero), .value(12, at: .milliseconds(20)),
        .finished(at: .milliseconds(20)),
      ])
  }
  // endregion

  @Test func `A cancellation stops the work`() throws {
    let world = try World.current
    let client = OldClient()
    let result = world.record(publisher { client.load("Ada", handler: $0) })
    world.at(.milliseconds(5)) { result.cancel() }
    world.run()
    #expect(client.log == ["load Ada", "cancel Ada"])
    #expect(result.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(5))])
  }

  @Test func `Each subscriber starts the work again`() throws {
    let world = try World.current
    let client = OldClient()
    let photo = publisher { client.load("Ada", handler: $0) }
    let first = world.record(photo)
    let second = world.record(photo)
    world.run()
    #expect(client.log == ["load Ada", "load Ada"])
    #expect(first.events == second.events)
  }

  @Test func `A failure is passed on`() throws {
    let world = try World.current
    let result = world.record(
      publisher { (handler: @Sendable (Result<Int, Oops>) -> Void) in
        handler(.failure(Oops()))
        return {}
      })
    #expect(result.events == [.subscription(at: .zero), .failure(Oops(), at: .zero)])
  }
}
