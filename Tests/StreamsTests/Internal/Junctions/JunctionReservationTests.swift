import Foundation
import TestSupport
import Testing

@testable import Streams

/// Tests a junction's reservation of the sink behind it: when it begins and ends, and that the sink
/// releases its closures as without it.
struct JunctionReservationTests {
  typealias Source = PassthroughSubject<Int, TestError>
  typealias IntSink = Subscribers.Sink<Int, TestError>

  enum Operator: CaseIterable, Sendable {
    case merge, flatMap, zip, combineLatest, switchToLatest

    fileprivate func attach(_ sink: IntSink, to first: Source, _ second: Source) {
      switch self {
      case .merge: first.merge(with: second).subscribe(sink)
      case .flatMap: [first, second].publisher.flatMap { $0 }.map { $0 }.subscribe(sink)
      case .zip: first.zip(second) { $0 + $1 }.subscribe(sink)
      case .combineLatest: first.combineLatest(second) { $0 + $1 }.subscribe(sink)
      case .switchToLatest: Just(first).switchToLatest().filter { _ in true }.subscribe(sink)
      }
    }
  }

  enum Ending: CaseIterable, Sendable {
    case cancellation, cancellationOnAnotherThread, failure, failureOnAnotherThread

    fileprivate func end(_ sink: IntSink, of source: Source) {
      nonisolated(unsafe) let sink = sink
      switch self {
      case .cancellation: sink.cancel()
      case .cancellationOnAnotherThread: onAnotherThread { sink.cancel() }
      case .failure: source.send(completion: .failure("enough"))
      case .failureOnAnotherThread:
        onAnotherThread { source.send(completion: .failure("enough")) }
      }
    }
  }

  let log = CallLog()
  let first = Source()
  let second = Source()

  private static func isReserved(_ sink: IntSink) -> Bool {
    guard sink._beginRun().value else { return true }
    sink._endRun()
    return false
  }

  /// The lines of the log that tell of releases, sorted.
  private var releases: [String] { log.lines.filter { $0.hasSuffix("released") }.sorted() }

  @Test(arguments: Operator.allCases)
  func aJunctionReservesTheSinkBehindIt(_ name: Operator) {
    let sink = SinkReleaseTests.sink(log: log)
    #expect(!Self.isReserved(sink))
    name.attach(sink, to: first, second)
    #expect(Self.isReserved(sink))
    first.send(1)
    second.send(1)
    #expect(Self.isReserved(sink))
    #expect(log.lines.first?.hasPrefix("begin") == true)
    sink.cancel()
  }

  @Test(arguments: Operator.allCases, Ending.allCases)
  func anEndBetweenValuesReleasesTheClosuresAtOnce(_ name: Operator, _ ending: Ending) {
    let sink = SinkReleaseTests.sink(log: log)
    name.attach(sink, to: first, second)
    first.send(1)
    second.send(1)
    log.removeAll()
    ending.end(sink, of: first)
    #expect(releases == SinkReleaseTests.both)
    if log.lines.count > 2 {
      // A failure.
      #expect(log.lines.first == "value closure released")
      #expect(log.lines.last == "completion closure released")
    }
    withExtendedLifetime(sink) {}
  }

  @Test(
    arguments: Operator.allCases, [Ending.cancellation, .failure, .cancellationOnAnotherThread])
  func anEndInsideAValueReleasesTheClosuresAfterIt(_ name: Operator, _ ending: Ending) {
    let log = log
    let first = first
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = SinkReleaseTests.sink(log: log) { _ in
      if let inside { ending.end(inside, of: first) }
    }
    inside = sink
    name.attach(sink, to: first, second)
    first.send(1)
    second.send(1)
    let end = log.lines.firstIndex { $0.hasPrefix("end") }
    let release = log.lines.firstIndex { $0 == "value closure released" }
    #expect(end != nil && release != nil && end! < release!)
    #expect(releases == SinkReleaseTests.both)
    withExtendedLifetime(sink) {}
  }

  @Test(arguments: Operator.allCases, Ending.allCases)
  func closuresAreReleasedOnceWheneverAnotherThreadEndsTheStream(
    _ name: Operator, _ ending: Ending
  ) {
    for _ in 0..<100 {
      let log = CallLog()
      let (first, second) = (Source(), Source())
      nonisolated(unsafe) let sink = SinkReleaseTests.sink(log: log) { _ in sched_yield() }
      name.attach(sink, to: first, second)
      onThreads(3) { index in
        switch index {
        case 0: for value in 0..<10 { first.send(value) }
        case 1: for value in 0..<10 { second.send(value) }
        default:
          sched_yield()
          ending.end(sink, of: first)
        }
      }
      let lines = log.lines
      #expect(lines.filter { $0.hasSuffix("released") }.sorted() == SinkReleaseTests.both)
      // The values come one at a time, and none after the release.
      let values = lines.filter { $0.hasPrefix("begin") || $0.hasPrefix("end") }
      #expect(values.count.isMultiple(of: 2))
      for index in stride(from: 0, to: values.count, by: 2) {
        #expect(values[index].dropFirst(6) == values[index + 1].dropFirst(4))
      }
      let release = lines.firstIndex { $0 == "value closure released" } ?? 0
      #expect(!lines[release...].contains { $0.hasPrefix("end") })
      withExtendedLifetime(sink) {}
    }
  }

  @Test(arguments: Operator.allCases)
  func aReservedSinkStillTakesValuesFromElsewhere(_ name: Operator) {
    let other = Source()
    let sink = SinkReleaseTests.sink(log: log)
    name.attach(sink, to: first, second)
    other.map { $0 }.subscribe(sink)
    _ = sink.receive(7)
    #expect(log.lines == ["begin 7", "end 7"])
    #expect(Self.isReserved(sink))
    sink.cancel()
    #expect(releases == SinkReleaseTests.both)
  }

  @Test(arguments: Operator.allCases, [false, true])
  func aCompletionFromElsewhereReleasesWithTheNextSignal(_ name: Operator, isValue: Bool) {
    let sink = SinkReleaseTests.sink(log: log)
    name.attach(sink, to: first, second)
    first.send(1)
    second.send(1)
    log.removeAll()
    sink.receive(completion: .finished)
    #expect(log.lines == ["finished"])
    if isValue {
      first.send(2)
      second.send(2)
    } else {
      first.send(completion: .failure("enough"))
    }
    #expect(releases == SinkReleaseTests.both)
    #expect(log.lines.count == 3)
    withExtendedLifetime(sink) {}
    // The subjects would keep the junction.
    for source in [first, second] { source.send(completion: .finished) }
  }

  /// The publishers forget the junction, so its reservation ends with it.
  @Test func aReleasedJunctionEndsItsReservation() {
    let sink = SinkReleaseTests.sink(log: log)
    let never = Empty<Int, TestError>(completeImmediately: false)
    never.merge(with: never).subscribe(sink)
    #expect(Self.isReserved(sink))
    sink.receive(completion: .finished)
    #expect(releases == SinkReleaseTests.both)
    withExtendedLifetime(sink) {}
  }
}
