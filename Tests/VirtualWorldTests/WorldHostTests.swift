import StreamsTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A program that runs in a world may have a network of its own.
@Suite struct WorldHostTests {
  private struct Host: WorldHost {
    let session: URLSession

    func makeSession(
      delegate: (any URLSessionDelegate)?, waitsForConnectivity: Bool
    ) -> URLSession? { waitsForConnectivity ? nil : session }
  }

  @Test(.world) func aHostMakesTheSessionsThatItWants() throws {
    let world = try World.current
    let host = Host(session: URLSession(configuration: .ephemeral))
    world.host = host
    let sessions = [
      world.session, world.makeSession(), world.makeSession(waitsForConnectivity: true),
    ]
    #expect(sessions.map { $0 === host.session } == [true, true, false])
  }
}
