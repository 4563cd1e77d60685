import Streams
import TestSupport
import Testing
import Timeline
import VirtualTime
import VirtualWorld

@testable import StreamsTesting

/// A sweep knows what happens at each time, with far fewer runs.
struct TimeSweepTests {
  /// A program that's made of random operators, and the times of its inputs.
  private struct Program {
    let inputs: [[Int]]
    let stages: [Int]
    let numbers: [Int]
    /// Whether all stages have lanes, or only the inputs and the end.
    let hasLanes: Bool

    init(seed: UInt64) {
      var generator = SplitMix64(seed: seed)
      inputs = (0..<2).map { _ in
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Int.random(in: 0...30, using: &generator)
        }
      }
      stages = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        Int.random(in: 0..<13, using: &generator)
      }
      numbers = stages.map { _ in Int.random(in: 1...12, using: &generator) }
      hasLanes = Bool.random(using: &generator)
    }

    func run(_ world: World) {
      let subjects = inputs.indices.map { _ in PassthroughSubject<String, Never>() }
      for (index, times) in inputs.enumerated() {
        for (number, time) in times.enumerated() {
          world.at(.milliseconds(time)) {
            subjects[index].send("\("ab".dropFirst(index).first!)\(number)")
          }
        }
      }
      let other = subjects[1].lane("b").eraseToAnyPublisher()
      var stream = subjects[0].lane("a").eraseToAnyPublisher()
      for (stage, number) in zip(stages, numbers) {
        stream = apply(stage, .milliseconds(number), to: stream, other, world)
        if hasLanes { stream = stream.lane("stage").eraseToAnyPublisher() }
      }
      Publishers.Recorded(
        upstream: stream, lane: .subscriber("out"), timeline: world.timeline,
        describe: { $0 }
      )
      .sink { _ in }
      .store(in: &world.cancellables)
      world.run(until: .milliseconds(150))
    }

    private func apply(
      _ stage: Int, _ time: VirtualTime.Interval, to stream: AnyPublisher<String, Never>,
      _ other: AnyPublisher<String, Never>, _ world: World
    ) -> AnyPublisher<String, Never> {
      let clock = world.clock
      return switch stage {
      case 0: stream.debounce(for: time, scheduler: clock).eraseToAnyPublisher()
      case 1: stream.throttle(for: time, scheduler: clock, latest: true).eraseToAnyPublisher()
      case 2: stream.throttle(for: time, scheduler: clock, latest: false).eraseToAnyPublisher()
      case 3: stream.delay(for: time, scheduler: clock).eraseToAnyPublisher()
      case 4: stream.merge(with: other).eraseToAnyPublisher()
      case 5: stream.zip(other).map { $0 + $1 }.eraseToAnyPublisher()
      case 6: stream.combineLatest(other).map { $0 + $1 }.eraseToAnyPublisher()
      case 7:
        stream.map { Just($0).delay(for: time, scheduler: clock) }.switchToLatest()
          .eraseToAnyPublisher()
      case 8:
        stream.flatMap { Just($0).delay(for: time, scheduler: clock) }.eraseToAnyPublisher()
      case 9: stream.timeout(time, scheduler: clock).append("late").eraseToAnyPublisher()
      case 10: stream.prefix(untilOutputFrom: other).append("cut").eraseToAnyPublisher()
      case 11:
        stream.collect(.byTime(clock, time)).map { $0.joined() }.eraseToAnyPublisher()
      default: stream.scan("") { $0 + $1 }.eraseToAnyPublisher()
      }
    }
  }

  private func run(_ program: Program, _ variation: Variation) -> Sweeps<[String]>.Run {
    inWorld(variation.schedule, variation.moves, at: #_sourceLocation) { world in
      program.run(world)
      let part = Timeline.Recording.Part(events: world.timeline.recording.events)
      world.timeline.isTearingDown = true
      world.cancellables = []
      world.clock.dropPendingWork()
      return .init(
        ending: RunOutcome(part).lines, recording: part, actions: world.clock.actions,
        choices: world.clock.choices, script: world.clock.script,
        end: part.events.last?.time ?? .zero)
    }
  }

  @Test(arguments: 0..<40)
  func theRangesAreThoseOfEachMillisecond(seed: UInt64) {
    let program = Program(seed: seed)
    var sweeps = Sweeps<[String]>()
    while let variation = sweeps.next() {
      sweeps.note(run(program, variation))
    }
    #expect(sweeps.cuts == [])
    for finding in sweeps.findings {
      for time in 0...100 {
        let moment = VirtualTime.milliseconds(time)
        let range = finding.ranges.first { $0.start <= moment && moment <= $0.end ?? .max }
        let brute = run(program, Variation(moves: [Move(finding.thing.address, to: moment)])).ending
        #expect(range?.ending == brute, "\(finding.thing.address) to \(moment)")
      }
    }
  }

  /// Where something meets something else, each order of that instant is tried.
  @Test(arguments: 0..<12)
  func theOrdersAreThoseOfEachMillisecond(seed: UInt64) {
    let program = Program(seed: seed)
    var sweeps = Sweeps<[String]>(orders: true, never: false)
    while let variation = sweeps.next() {
      sweeps.note(run(program, variation))
    }
    for finding in sweeps.findings {
      let known = Set(finding.ranges.map(\.ending) + finding.ties.map(\.ending))
      for time in 0...100 {
        let move = Move(finding.thing.address, to: .milliseconds(time))
        let usual = run(program, Variation(schedule: .usual, moves: [move]))
        for choice in usual.choices where choice.time == move.time {
          for pick in choice.candidates.indices.dropFirst() {
            let schedule = Schedule([choice.departure(to: pick)])
            let other = run(program, Variation(schedule: schedule, moves: [move])).ending
            #expect(known.contains(other), "\(move), \(choice.description(of: pick))")
          }
        }
      }
    }
  }
}
