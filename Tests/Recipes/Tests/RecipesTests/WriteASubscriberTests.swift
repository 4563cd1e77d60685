import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct WriteASubscriberTests {
  // region: test
  @Test func `Two files at a time`() throws {
    let world = try World.current
    var started: [String] = []
    let worker = Worker<String, Never>(limit: 2) { file, done in
      started.append("\(file) at \(world.clock.now)")
      DispatchQueue.main.schedule(
        after: DispatchQueue.main.now.advanced(by: .milliseconds(10)), done)
    }
    ["a", "b", "c"].publisher
      .lane("files")
      .subscribe(worker)
    world.run()

    #expect(started == ["a at 0", "b at 0", "c at 10ms"])
  }
  // endregion

  @Test func `After a cancellation no more work is started`() throws {
    let world = try World.current
    var started: [Int] = []
    let worker = Worker<Int, Never>(limit: 1) { number, done in
      started.append(number)
      DispatchQueue.main.schedule(
        after: DispatchQueue.main.now.advanced(by: .milliseconds(10)), done)
    }
    (1...100).publisher.subscribe(worker)
    world.at(.milliseconds(15)) { worker.cancel() }
    world.run()
    #expect(started == [1, 2])
  }

  @Test func `A cancellation before the subscription counts`() throws {
    let world = try World.current
    var started: [Int] = []
    let worker = Worker<Int, Never>(limit: 1) { number, _ in started.append(number) }
    (1...3).publisher.subscribe(on: DispatchQueue.main).subscribe(worker)
    worker.cancel()
    world.run()
    #expect(started == [])
  }

  @Test func `A second subscription is cancelled`() throws {
    let world = try World.current
    let second = world.cold("----|")
    let worker = Worker<String, Never>(limit: 1) { _, done in done() }
    world.cold("-a|").subscribe(worker)
    second.subscribe(worker)
    world.run()
    expectSubscriptions(second, ["(^!)"])
  }

  @Test func `Work that is done at once asks for the next value at once`() throws {
    var done: [Int] = []
    let worker = Worker<Int, Never>(limit: 1) { number, finish in
      done.append(number)
      finish()
    }
    (1...1_000).publisher.subscribe(worker)
    #expect(done == Array(1...1_000))
  }
}
