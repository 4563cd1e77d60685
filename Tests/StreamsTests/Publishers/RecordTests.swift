import Foundation
import Streams
import TestSupport
import Testing

struct RecordTests {
  typealias Numbers = Record<Int, Oops>

  /// An error that can be encoded.
  enum Oops: String, Error, Codable { case oops }

  /// Whether a sink is at the end of the chain, so that the source emits in the attaching frame.
  enum Path: CaseIterable {
    case throughRequest, throughFrame

    func attach(_ history: History<Int, Oops>, to record: Numbers) {
      switch self {
      case .throughRequest: record.subscribe(history)
      case .throughFrame: record.subscribe(EndingSubscriber(history))
      }
    }
  }

  @Test(arguments: Path.allCases, [Subscribers.Completion.finished, .failure(Oops.oops)])
  func deliversWhatIsRequestedAndTheCompletionAfterTheLastValue(
    path: Path, completion: Subscribers.Completion<Oops>
  ) {
    let history = History<Int, Oops>(demand: .max(2))
    path.attach(history, to: Record(output: [1, 2, 3], completion: completion))
    let start = ["subscription [1, 2, 3]", "value 1", "value 2"]
    expectEqual(history.lines, start)
    history.request(.none)
    expectEqual(history.lines, start)
    history.request(1)
    history.request(1)
    let end = completion == .finished ? "finished" : "failure oops"
    expectEqual(history.lines, start + ["value 3", end])
  }

  @Test(arguments: Path.allCases, [Subscribers.Completion.finished, .failure(Oops.oops)])
  func withoutValuesTheCompletionNeedsNoDemand(
    path: Path, completion: Subscribers.Completion<Oops>
  ) {
    let history = History<Int, Oops>(demand: .none)
    path.attach(history, to: Record { $0.receive(completion: completion) })
    let end = completion == .finished ? "finished" : "failure oops"
    expectEqual(history.lines, ["subscription Empty", end])
  }

  @Test(arguments: Path.allCases) func aRequestWithinADeliveryDoesNotRecurse(path: Path) {
    let log = CallLog()
    let history = History<Int, Oops>(demand: .max(1))
    history.onValue = { [weak history] value in
      log.append("value \(value)")
      history?.request(1)
      log.append("requested")
      return .none
    }
    path.attach(history, to: Record(output: [1, 2], completion: .finished))
    expectEqual(log.lines, ["value 1", "requested", "value 2", "requested"])
    expectEqual(history.completion, .finished)
  }

  @Test func aSubscriptionThatHasEndedIsCalledCancelledEvents() {
    let history = History<Int, Oops>(demand: .none)
    let descriptions = CallLog()
    history.onSubscription = { subscription in
      descriptions.append("\(subscription)")
      subscription.request(.unlimited)
      descriptions.append("\(subscription)")
    }
    Numbers(output: [1], completion: .finished).subscribe(history)
    expectEqual(descriptions.lines, ["[1]", "Cancelled Events"])
    history.onSubscription = nil
  }

  @Test func aClosureRecordsAtOnce() {
    let record = Numbers { recording in
      recording.receive(1)
      recording.receive(2)
      recording.receive(completion: .failure(.oops))
    }
    expectEqual(record.recording.output, [1, 2])
    expectEqual(record.recording.completion, .failure(.oops))
    expectEqual(Numbers(recording: record.recording).history().values, [1, 2])
    expectEqual(Numbers { $0.receive(3) }.recording.completion, .finished)
  }

  @Test func aNewRecordingIsEmptyAndReceives() {
    var recording = Numbers.Recording()
    expectEqual(recording.output, [])
    expectEqual(recording.completion, .finished)
    recording.receive(7)
    recording.receive(completion: .failure(.oops))
    expectEqual(recording.output, [7])
    expectEqual(recording.completion, .failure(.oops))
    expectEqual(Numbers.Recording(output: [7]).completion, .finished)
  }

  @Test func aCopyOfARecordingIsIndependent() {
    let record = Numbers { _ in }
    var copy = record.recording
    copy.receive(1)
    expectEqual(record.recording.output, [])
    expectEqual(copy.output, [1])
  }

  @Test func aCompleteRecordingTraps() async throws {
    let value = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var recording = Numbers.Recording()
      recording.receive(completion: .finished)
      recording.receive(1)
    }
    let valueMessage = try message(value)
    #expect(valueMessage.contains("it can't receive a value"))
    let completion = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var recording = Numbers.Recording()
      recording.receive(completion: .finished)
      recording.receive(completion: .finished)
    }
    let completionMessage = try message(completion)
    #expect(completionMessage.contains("it can't receive a completion"))
  }

  @Test func aRecordingOfKnownOrDecodedValuesIsComplete() async throws {
    await #expect(processExitsWith: .failure) {
      var recording = Numbers.Recording(output: [], completion: .finished)
      recording.receive(1)
    }
    await #expect(processExitsWith: .failure) {
      let json = Data(#"{"output":[],"completion":{"success":true}}"#.utf8)
      guard var recording = try? JSONDecoder().decode(Numbers.Recording.self, from: json) else {
        return
      }
      recording.receive(completion: .finished)
    }
  }

  private func message(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test(arguments: [
    (Subscribers.Completion<Oops>.finished, #"{"completion":{"success":true},"output":[1,2]}"#),
    (.failure(.oops), #"{"completion":{"error":"oops","success":false},"output":[1,2]}"#),
  ])
  func isEncodedAsInCombine(completion: Subscribers.Completion<Oops>, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let record = Numbers(output: [1, 2], completion: completion)
    let bytes = try encoder.encode(record.recording)
    let wholeBytes = try encoder.encode(record)
    let misnamedBytes = try encoder.encode(Misnamed(recording: record.recording))
    expectEqual(String(decoding: bytes, as: UTF8.self), json)
    expectEqual(String(decoding: wholeBytes, as: UTF8.self), #"{"recording":\#(json)}"#)
    expectEqual(String(decoding: misnamedBytes, as: UTF8.self), json)

    let decoded = try JSONDecoder().decode(Numbers.Recording.self, from: bytes)
    expectEqual(decoded.output, [1, 2])
    expectEqual(decoded.completion, completion)
    let whole = try JSONDecoder().decode(Numbers.self, from: wholeBytes)
    expectEqual(whole.recording.output, [1, 2])
    expectEqual(whole.recording.completion, completion)
  }

  @Test(arguments: [#"{"output":[1]}"#, #"{"completion":{"success":true}}"#])
  func aMissingKeyIsAnError(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Numbers.Recording.self, from: Data(json.utf8))
    }
  }

  /// Encodes a recording with the method that Combine has misnamed.
  private struct Misnamed: Encodable {
    let recording: Numbers.Recording

    func encode(to encoder: any Encoder) throws { try recording.encode(into: encoder) }
  }
}
