import ScenarioKit

// region: connectivity
/// Connects or disconnects the stub network at a given time.
func setConnectivity(_ isConnected: Bool, at time: VirtualTime, in world: World) {
  world.at(time) {
    print("network:", isConnected ? "connected" : "disconnected")
    world.network.isConnected = isConnected
  }
}
// endregion
