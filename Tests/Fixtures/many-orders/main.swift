// A scenario in which responses of one instant can come in several orders, and that presses Ctrl-C
// itself, in a run that doesn't depend on time.

import ScenarioKit
import Synchronization

let scenario = Scenario("many-orders", "Load two letters at one instant.")
let interrupts = scenario.flag("interrupts", "press Ctrl-C in the fourth run")
let interruptsAtOnce = scenario.flag("interrupts-at-once", "press Ctrl-C in the second run")
let runCount = Atomic<Int>(0)

/// Presses Ctrl-C if this is the run to do so.
func interrupt(_ world: World) {
  let number = runCount.add(1, ordering: .relaxed).newValue
  if number == 4 && world.has(interrupts) || number == 2 && world.has(interruptsAtOnce) {
    raise(SIGINT)
  }
}

for title in ["Two letters", "Two letters again"] {
  scenario.part(title) { world in
    interrupt(world)
    for letter in ["a", "b"] {
      let url = "https://example.com/\(letter)"
      world.network.stub(.get, url, responses: .text(letter, after: .milliseconds(100)))
      world.session.dataTaskPublisher(for: URL(string: url)!)
        .map { String(decoding: $0.data, as: UTF8.self) }
        .replaceError(with: "?")
        .sink { print($0) }
        .store(in: &world.cancellables)
    }
  }
}

scenario.part("Two queues") { world in
  interrupt(world)
  for name in ["a", "b"] {
    Just(name).receive(on: DispatchQueue(label: name)).sink { print($0) }
      .store(in: &world.cancellables)
  }
}

scenario.run()
