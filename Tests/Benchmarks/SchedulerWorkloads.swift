import StreamsFoundation

/// Values delivered on a scheduler, compared with the same closures sent there by hand.
enum SchedulerWorkloads {
  static var all: [Workload] {
    [receivingOnAQueue, receivingImmediately, debouncing]
  }

  private static var receivingOnAQueue: Workload {
    let count = 100_000
    // Called on one thread at a time, because the queue is serial.
    nonisolated(unsafe) let add = Closures.add()
    let queue = DispatchQueue(label: "benchmark")
    return Workload(
      name: "sequence, receive(on: serial queue), sink", values: count, target: 1.15,
      loop: {
        for value in 0..<count { queue.async { add(value) } }
        queue.sync {}
      },
      streams: {
        let cancellable = (0..<count).publisher.lazily.receive(on: queue).sink(receiveValue: add)
        queue.sync {}
        cancellable.cancel()
      })
  }

  private static var receivingImmediately: Workload {
    let count = 1_000_000
    let increment = Closures.increment()
    let add = Closures.add()
    return Workload(
      name: "sequence, map, receive(on: immediate), sink", values: count, target: 2.5,
      loop: { for value in 0..<count { add(increment(value)) } },
      streams: {
        (0..<count).publisher.lazily.map(increment).receive(on: ImmediateScheduler.shared)
          .sink(receiveValue: add).cancel()
      })
  }

  private static var debouncing: Workload {
    let count = 20_000
    let queue = DispatchQueue(label: "benchmark")
    let add = Closures.add()
    return Workload(
      name: "subject, debounce on a queue, sink", values: count, target: 2,
      loop: {
        var timer: (any DispatchSourceTimer)?
        for value in 0..<count {
          timer?.cancel()
          // No timer fires before it's cancelled.
          nonisolated(unsafe) let add = add
          timer = DispatchSource.makeTimerSource(queue: queue)
          timer?.schedule(deadline: .now() + 60, repeating: 60)
          timer?.setEventHandler { add(value) }
          timer?.resume()
        }
        timer?.cancel()
        queue.sync {}
      },
      streams: {
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.debounce(for: 60, scheduler: queue).sink(receiveValue: add)
        for value in 0..<count { subject.send(value) }
        cancellable.cancel()
        queue.sync {}
      })
  }
}
