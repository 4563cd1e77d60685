import Foundation
import StreamsTesting

private final class Page {
  let numbers = PassthroughSubject<Int, Never>()
  var shown = 0
  var subscription: AnyCancellable?
}

/// A world with three mistakes: the wrong marbles, work that's still due, and a subscription that
/// keeps itself alive.
private func makeMistakes(in world: World, keeping cancellables: inout [AnyCancellable]) {
  let values: ColdPublisher<String, Never> = world.cold("-a-b|")
  let recorder = world.record(values)
  world.run()
  expectMarbles(recorder, "-a-c|")
  let pending: ColdPublisher<String, Never> = world.cold("5ms a")
  pending.sink { _ in }.store(in: &cancellables)
  let page = Page()
  page.subscription = page.numbers.sink { page.shown = $0 }
}

/// Nothing receives the problems, so this program fails.
func runMistakes() {
  print("before")
  var cancellables: [AnyCancellable] = []
  withWorld { world in makeMistakes(in: world, keeping: &cancellables) }
  print("after")
  exit(EXIT_SUCCESS)
}

// region: program
/// This program receives its problems, so it decides itself.
func runMistakesAndPrintThem() {
  var cancellables: [AnyCancellable] = []
  withWorld(onProblem: { print($0) }) { world in
    makeMistakes(in: world, keeping: &cancellables)
  }
  exit(3)
}
// endregion: program
