import StreamsFoundation
import VirtualTime

/// Values delivered on a scheduler, compared with the same closures sent there by hand.
enum SchedulerWorkloads {
  static var all: [Workload] {
    [
      receivingOnAQueue, receivingImmediately, debouncing, throttlingImmediately,
      throttlingInVirtualTime, measuringIntervals, collectingByTime,
    ]
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

  /// Each value opens an interval that is over at once, so each is delivered.
  private static var throttlingImmediately: Workload {
    let count = 1_000_000
    let add = Closures.add()
    return Workload(
      name: "sequence, throttle on immediate, sink", values: count, target: 30,
      loop: { for value in 0..<count { add(value) } },
      streams: {
        (0..<count).publisher.lazily
          .throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true)
          .sink(receiveValue: add).cancel()
      })
  }

  /// The loop sends the same values with the same clock, and remembers the latest of each ten.
  private static var throttlingInVirtualTime: Workload {
    let count = 200_000
    let add = Closures.add()
    return Workload(
      name: "subject, throttle in virtual time, sink", values: count, target: 4,
      loop: {
        let clock = VirtualTimeScheduler(
          limits: .init(actionsInOneChain: .max, actionsInOneCall: .max))
        var latest = 0
        for value in 0..<count {
          latest = value
          if value.isMultiple(of: 10) {
            clock.schedule(after: clock.now.advanced(by: .seconds(1))) { add(latest) }
          }
          if value % 10 == 9 { clock.advance(by: .seconds(1)) }
        }
      },
      streams: {
        let clock = VirtualTimeScheduler(
          limits: .init(actionsInOneChain: .max, actionsInOneCall: .max))
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.throttle(for: .seconds(1), scheduler: clock, latest: true)
          .sink(receiveValue: add)
        for value in 0..<count {
          subject.send(value)
          if value % 10 == 9 { clock.advance(by: .seconds(1)) }
        }
        cancellable.cancel()
      })
  }

  private static var measuringIntervals: Workload {
    let count = 1_000_000
    let add = Closures.add()
    return Workload(
      name: "sequence, measureInterval, sink", values: count, target: 2.5,
      loop: { for value in 0..<count { add(value) } },
      streams: {
        (0..<count).publisher.lazily.measureInterval(using: ImmediateScheduler.shared)
          .sink { add($0.magnitude) }.cancel()
      })
  }

  private static var collectingByTime: Workload {
    let count = 200_000
    let add = Closures.add()
    return Workload(
      name: "subject, collect by time, sink", values: count, target: 15,
      loop: {
        var values: [Int] = []
        for value in 0..<count {
          values.append(value)
          guard value % 100 == 99 else { continue }
          add(values.count)
          values = []
        }
      },
      streams: {
        let clock = VirtualTimeScheduler(
          limits: .init(actionsInOneChain: .max, actionsInOneCall: .max))
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.collect(.byTime(clock, .seconds(1))).sink { add($0.count) }
        for value in 0..<count {
          subject.send(value)
          if value % 100 == 99 { clock.advance(by: .seconds(1)) }
        }
        cancellable.cancel()
      })
  }
}
