import Streams
import TestSupport
import Testing
import Timeline
import VirtualTime

struct RecordedTests {
  private let timeline = Timeline(now: { .zero })

  /// The events, each with its number, lane, kind and cause.
  private var lines: [String] {
    timeline.recording.events.map { event in
      let cause = event.cause.map { " <- \($0)" } ?? ""
      return "\(event.number) \(event.lane.name): \(event.kind)\(cause)"
    }
  }

  @Test func recordsEverythingThatPasses() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.recorded(as: "tap", on: timeline)
      .history(demand: .max(2), perValue: .max(1))
    #expect(source.send(7) == .max(1))
    source.fail("no more")
    #expect(history.events == [.subscription("upstream"), .value(7), .failure("no more")])
    #expect(source.calls == [.request(.max(2))])
    #expect(
      lines == [
        "1 tap: subscribed", "2 tap: request 2 <- 1", "3 tap: value 7", "4 tap: request 1 <- 3",
        "5 tap: failed: no more",
      ])
    #expect(timeline.recording.lanes == [.operator("tap")])
  }

  @Test func recordsAFinish() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.recorded(as: .subscriber("end"), on: timeline).history(demand: .none)
    source.finish()
    #expect(history.events == [.subscription("upstream"), .finished])
    #expect(lines == ["1 end: subscribed", "2 end: finished"])
    #expect(timeline.recording.lanes == [.subscriber("end")])
  }

  @Test func describesValuesWithTheClosure() {
    let source = ScriptedPublisher<[String: Int], Never>()
    _ =
      source
      .recorded(as: "tap", on: timeline) { value in
        value.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      }
      .history()
    source.send(["b": 2, "a": 1])
    #expect(lines.last == "3 tap: value a=1 b=2")
  }

  @Test func recordsCausesAcrossStages() {
    let source = ScriptedPublisher<Int, Never>()
    source.onRequest = { [weak source] _ in _ = source?.send(1) }
    let history =
      source
      .recorded(as: .source("upper"), on: timeline)
      .map { $0 * 10 }
      .recorded(as: "lower", on: timeline)
      .history(demand: .none)
    history.request(1)
    #expect(
      lines == [
        "1 upper: subscribed", "2 lower: subscribed <- 1", "3 lower: request 1",
        "4 upper: request 1 <- 3", "5 upper: value 1 <- 4", "6 lower: value 10 <- 5",
      ])
  }

  @Test func cancelsOnceAndRecordsNothingAfterwards() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.recorded(as: "tap", on: timeline).history(demand: .none)
    history.cancel()
    history.cancel()
    history.request(1)
    #expect(source.calls == [.cancel])
    #expect(lines == ["1 tap: subscribed", "2 tap: cancelled"])
  }

  @Test func aDeliveryMayCancel() {
    let source = ScriptedPublisher<Int, Never>()
    let history = History<Int, Never>()
    history.onValue = { [weak history] _ in
      history?.cancel()
      return .none
    }
    source.recorded(as: "tap", on: timeline).subscribe(history)
    source.send(1)
    #expect(source.calls == [.request(.unlimited), .cancel])
    #expect(lines.suffix(2) == ["3 tap: value 1", "4 tap: cancelled <- 3"])
  }

  @Test func requestsNothingFromUpstreamAfterTheCompletion() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.recorded(as: "tap", on: timeline).history(demand: .none)
    source.finish()
    history.request(1)
    history.cancel()
    #expect(source.calls == [])
    #expect(lines == ["1 tap: subscribed", "2 tap: finished"])
  }

  @Test func cancelsASecondSubscription() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.recorded(as: "tap", on: timeline).history(demand: .none)
    let second = source.sendSubscription()
    #expect(second.calls == [.cancel])
    #expect(source.subscriptions[0].calls == [])
    #expect(history.events == [.subscription("upstream")])
    history.cancel()
    let third = source.sendSubscription()
    #expect(third.calls == [.cancel])
  }

  @Test func eachSubscriberHasItsOwnSubscription() {
    let source = ScriptedPublisher<Int, Never>()
    let recorded = source.recorded(as: "tap", on: timeline)
    let first = recorded.history()
    let second = recorded.history()
    source.send(1, to: 0)
    source.send(2, to: 1)
    #expect(first.values == [1])
    #expect(second.values == [2])
    #expect(source.subscriberCount == 2)
  }

  @Test func releasesUpstreamAtTheCompletion() {
    weak var subscription: ScriptedSubscription?
    let history: History<Int, Never>
    do {
      let source = ScriptedPublisher<Int, Never>(sendsSubscription: false)
      history = source.recorded(as: "tap", on: timeline).history(demand: .none)
      subscription = source.sendSubscription()
      source.finish()
    }
    #expect(subscription == nil)
    #expect(history.completion == .finished)
  }

  @Test func cancelsOnceFromManyThreads() async {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.recorded(as: "tap", on: timeline).history(demand: .none)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 { history.request(1) }
          history.cancel()
        }
      }
    }
    #expect(source.calls.count { $0 == .cancel } == 1)
    #expect(timeline.recording.events.count { $0.kind == .cancelled } == 1)
    let requests = timeline.recording.events.count { $0.kind == .request(.max(1)) }
    #expect(source.calls.count { $0 == .request(.max(1)) } == requests)
  }
}
