import Foundation
import Testing
import Timeline
import VirtualWorld

@testable import ScenarioKit

@Suite struct LiveNetworkTests {
  /// Dispatch traps if a queue is resumed that isn't suspended.
  @Test func aSessionMadeWhileTransfersAreStoppedEnds() throws {
    let network = LiveNetwork(
      server: try ServerURL("http://127.0.0.1:8080"), log: RequestLog(Timeline(now: { .zero })))
    let early = network.makeSession(delegate: nil)
    network.stopTransfers()
    network.stopTransfers()
    let late = network.makeSession(delegate: nil)
    network.invalidate()
    // Nothing is left to continue.
    network.invalidate()
    withExtendedLifetime((early, late)) {}
  }
}
