// A scenario whose run with a server ends in unusual ways. The environment variable MISTAKE has
// one:
//
//     a number    the process gets this signal
//     trap        the scenario's own code traps
//     deadlock    the world waits for the main thread
//     output      more output than fits in a pipe
//     memory      more memory than a run may take
//
// Without it, the scenario loads /page, or /other with --other.

import ScenarioKit

let scenario = Scenario("mistaken-run", "Show how a run with a server ends.")
let other = scenario.flag("other", "load another page")

scenario.part("The mistake") { world in
  switch ProcessInfo.processInfo.environment["MISTAKE"] {
  case "trap":
    FileHandle.standardError.write(Data("before the trap\n".utf8))
    fatalError("the scenario's own mistake")
  case "deadlock":
    DispatchQueue.main.sync {}
  case "memory":
    let bytes = [UInt8](repeating: 1, count: 400 << 20)
    Thread.sleep(forTimeInterval: 600)
    print(bytes.count)
  case "output":
    for number in 0..<5_000 { print("line", number) }
  case let text?:
    let number = Int32(text) ?? SIGABRT
    // The thread sanitizer handles some signals.
    signal(number, SIG_DFL)
    kill(getpid(), number)
  case nil:
    world.session
      .dataTaskPublisher(
        for: URL(absolute: "https://example.com/\(world.has(other) ? "other" : "page")")
      )
      .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { _ in })
      .store(in: &world.cancellables)
  }
}

scenario.run()
