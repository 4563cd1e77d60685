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

  private typealias Run = (
    ending: [String], part: Timeline.Recording.Part, actions: [ActionRun], script: Script
  )

  private func run(_ program: Program, _ moves: [Move]) -> Run {
    inWorld(nil, moves, at: #_sourceLocation) { world -> Run in
      program.run(world)
      let part = Timeline.Recording.Part(events: world.timeline.recording.events)
      world.timeline.isTearingDown = true
      world.cancellables = []
      world.clock.dropPendingWork()
      return (RunOutcome(part).lines, part, world.clock.actions, world.clock.script)
    }
  }

  @Test(arguments: 0..<40)
  func theRangesAreThoseOfEachMillisecond(seed: UInt64) {
    let program = Program(seed: seed)
    var sweeps = Sweeps<[String]>()
    while let moves = sweeps.next() {
      let result = run(program, moves)
      sweeps.note(
        result.ending, result.part, actions: result.actions, result.script,
        end: result.part.events.last?.time ?? .zero)
    }
    #expect(sweeps.cuts == [])
    for finding in sweeps.findings {
      for time in 0...100 {
        let moment = VirtualTime.milliseconds(time)
        let range = finding.ranges.first { $0.start <= moment && moment <= $0.end ?? .max }
        let brute = run(program, [Move(finding.thing.address, to: moment)]).ending
        #expect(range?.ending == brute, "\(finding.thing.address) to \(moment)")
      }
    }
  }
}
