import ExerciseKit

/// A client that loads "A" after some time. Its first loads may fail.
private final class OldClient: Client {
  private let world: World
  private let failures: Int
  private let milliseconds: Int
  private(set) var loads = 0
  private(set) var cancellations = 0

  init(in world: World, failures: Int, milliseconds: Int) {
    self.world = world
    self.failures = failures
    self.milliseconds = milliseconds
  }

  func load(_ completion: @escaping (Result<String, URLError>) -> Void) -> any Cancellable {
    loads += 1
    let result: Result<String, URLError> =
      loads <= failures ? .failure(URLError(.timedOut)) : .success("A")
    let load = Load(client: self, completion: completion)
    world.at(world.clock.now.advanced(by: .milliseconds(milliseconds))) {
      load.completion.take()?(result)
    }
    return load
  }

  private final class Load: Cancellable {
    private let client: OldClient
    var completion: ((Result<String, URLError>) -> Void)?

    init(client: OldClient, completion: @escaping (Result<String, URLError>) -> Void) {
      self.client = client
      self.completion = completion
    }

    /// After its end, a load can't be cancelled.
    func cancel() {
      if completion.take() != nil { client.cancellations += 1 }
    }
  }
}

let check = Check(
  learned:
    "`Future` starts at once, and only once. `Deferred` makes a new one for each subscriber.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let milliseconds = 10 * attempt.pick(2, or: 1...4)
  func client(failures: Int = 0) -> OldClient {
    OldClient(in: attempt.world, failures: failures, milliseconds: milliseconds)
  }
  let (unused, retried, left) = (client(), client(failures: 1), client())
  let notSubscribed = publisher(for: unused)
  attempt.expectCount("loads without a subscriber", 0) {
    _ = notSubscribed
    return unused.loads
  }
  attempt.expect(
    publisher(for: retried).retry(1), Script([("A", 2 * milliseconds)], end: 2 * milliseconds),
    name: "a load and a retry", onlyOne: true)
  attempt.expectCount("loads with a retry", 2) { retried.loads }
  let subscription = publisher(for: left).sink(
    receiveCompletion: { _ in }, receiveValue: { _ in })
  attempt.at(milliseconds / 2) { subscription.cancel() }
  attempt.expectCount("cancelled loads", 1) { left.cancellations }
  if !attempt.isPage {
    // Each of several subscribers has a load of its own.
    let several = client()
    attempt.expect(
      publisher(for: several), Script([("A", milliseconds)], end: milliseconds),
      name: "loads that take \(milliseconds) ms")
    let failing = client(failures: 3)
    attempt.expect(
      publisher(for: failing).retry(2), Script<String>([], end: 3 * milliseconds, fails: true),
      name: "a load that fails three times", failure: "URLError.\(URLError.Code.timedOut.rawValue)",
      onlyOne: true)
  }
}

extension Optional {
  /// The value, which is gone then.
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("loads with a retry") == 1, outcome.hasFailed("a load and a retry") {
    return
      "The second try loaded nothing, and got the failure of the first one again. A publisher that "
      + "has one result for all its subscribers, as a `Future` has, can't try again."
  }
  if outcome.count("cancelled loads") == 0 {
    return
      "When the subscriber cancelled at 10 ms, the load went on: nothing called `cancel()` on what "
      + "`load` returned."
  }
  return nil
}
