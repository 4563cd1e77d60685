import Foundation
import FoundationNetworking
import Testing

/// The ways to set the timeout of a request, on a URLSession on Linux.
@Suite struct URLSessionTimeoutTests {
  /// Responds after 1.5 s.
  private func slowURL(on server: RunningServer) throws -> URL {
    try #require(URL(string: server.base + "/search?q=sw"))
  }

  @Test func aTimeoutThatIsSetAsAPropertyApplies() async throws {
    let server = try RunningServer()
    var request = URLRequest(url: try slowURL(on: server))
    request.timeoutInterval = 1
    #expect(await fetch(request) == Fetched(error: .timedOut))
  }

  @Test func aTimeoutThatIsPassedToTheInitializerIsIgnored() async throws {
    let server = try RunningServer()
    let request = URLRequest(
      url: try slowURL(on: server), cachePolicy: .useProtocolCachePolicy, timeoutInterval: 1)
    let fetched = await fetch(request)
    #expect(fetched.error == nil)
    #expect(fetched.status == 200)
  }

  @Test func theSessionsTimeoutAppliesIfTheRequestHasNone() async throws {
    let server = try RunningServer()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1
    let request = URLRequest(url: try slowURL(on: server))
    #expect(await fetch(request, configuration: configuration) == Fetched(error: .timedOut))
  }

  @Test(arguments: [10, 60]) func theRequestsTimeoutWins(own: TimeInterval) async throws {
    let server = try RunningServer()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1
    var request = URLRequest(url: try slowURL(on: server))
    request.timeoutInterval = own
    let fetched = await fetch(request, configuration: configuration)
    #expect(fetched.error == nil)
    #expect(fetched.status == 200)
  }

  @Test func theSessionsTimeoutForAResourceIsIgnored() async throws {
    let server = try RunningServer()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 1
    let request = URLRequest(url: try slowURL(on: server))
    let fetched = await fetch(request, configuration: configuration)
    #expect(fetched.error == nil)
    #expect(fetched.status == 200)
  }
}
