import StreamsTesting
import Testing

@Test func waitForAPause() {
  withWorld(moving: "taps value 2 to 500ms") { world in
    nonisolated(unsafe) var screen = ""
    // Each sign is 100 ms: a letter is a value, and | is the end.
    world.hot("a-b-c-----d-e---|", frame: .milliseconds(100), as: "taps")
      .debounce(for: .milliseconds(250), scheduler: DispatchQueue.main)
      .sink { print("on screen:", $0, to: &screen) }
      .store(in: &world.cancellables)
    world.run()
    #expect(
      screen == """
        on screen: a
        on screen: b
        on screen: e

        """)
  }
}
