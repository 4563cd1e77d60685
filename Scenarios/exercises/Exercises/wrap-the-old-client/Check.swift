import ExerciseKit

/// A client whose first load fails, and whose later ones succeed.
private final class OldClient: Client {
  private let world: World
  private(set) var loads = 0
  private(set) var cancellations = 0

  init(in world: World) { self.world = world }

  func load(_ completion: @escaping (Result<String, URLError>) -> Void) -> any Cancellable {
    loads += 1
    let isFirst = loads == 1
    world.at(world.clock.now.advanced(by: .milliseconds(20))) {
      completion(isFirst ? .failure(URLError(.timedOut)) : .success("A"))
    }
    return Load { self.cancellations += 1 }
  }
}

private struct Load: Cancellable {
  let onCancel: () -> Void
  func cancel() { onCancel() }
}

let check = Check(
  learned:
    "`Future` starts at once, and only once. `Deferred` makes a new one for each subscriber.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let clients = (0..<3).map { _ in OldClient(in: attempt.world) }
  let unused = publisher(for: clients[0])
  attempt.expectCount("loads without a subscriber", 0) {
    _ = unused; return clients[0].loads
  }
  attempt.expect(publisher(for: clients[1]).retry(1), "----(A|)", name: "a load and a retry")
  attempt.expectCount("loads with a retry", 2) { clients[1].loads }
  let subscription = publisher(for: clients[2]).sink(
    receiveCompletion: { _ in }, receiveValue: { _ in })
  attempt.at(10) { subscription.cancel() }
  attempt.expectCount("cancelled loads", 1) { clients[2].cancellations }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("loads with a retry") == 1 {
    return "The retry loaded nothing: a `Future` keeps its first result, so the second try got the "
      + "same failure again."
  }
  if outcome.count("cancelled loads") == 0 {
    return "When the subscriber cancelled at 10 ms, the load went on: your code drops what `load` "
      + "returns."
  }
  return nil
}
