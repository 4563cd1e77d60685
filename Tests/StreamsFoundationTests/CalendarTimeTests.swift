import Foundation
import StreamsFoundation
import Testing

/// The API that the time types of `RunLoop` and `OperationQueue` have in common.
private protocol Moment: Strideable, Codable, Hashable, Sendable where Stride: Span {
  init(_ date: Date)
  var date: Date { get set }
}

private protocol Span: SchedulerTimeIntervalConvertible, SignedNumeric, ExpressibleByFloatLiteral,
  Codable, Sendable
{
  init(_ timeInterval: TimeInterval)
  var timeInterval: TimeInterval { get }
}

extension RunLoop.SchedulerTimeType: Moment {}
extension RunLoop.SchedulerTimeType.Stride: Span {}
extension OperationQueue.SchedulerTimeType: Moment {}
extension OperationQueue.SchedulerTimeType.Stride: Span {}

/// Both types have to behave alike, so each test runs with both.
@Suite struct CalendarTimeTests {
  private static let types: [any Moment.Type] = [
    RunLoop.SchedulerTimeType.self, OperationQueue.SchedulerTimeType.self,
  ]

  @Test(arguments: types.indices) func spansAreMadeFromTheUsualUnits(_ index: Int) {
    func check<M: Moment>(_: M.Type) {
      let spans: [M.Stride] = [
        1, 0.5, .seconds(2), .seconds(0.25), .milliseconds(3), .microseconds(4), .nanoseconds(5),
        M.Stride(6.5),
      ]
      #expect(spans.map(\.timeInterval) == [1, 0.5, 2, 0.25, 0.003, 0.000_004, 5e-9, 6.5])
      #expect(M.Stride(exactly: 3)?.timeInterval == 3)
      #expect(M.Stride(exactly: Int.max) == nil)
    }
    check(Self.types[index])
  }

  @Test(arguments: types.indices) func spansCalculateInSeconds(_ index: Int) {
    func check<M: Moment>(_: M.Type) {
      var span: M.Stride = 2
      #expect(span + 1.5 == 3.5)
      #expect(span - 0.5 == 1.5)
      #expect(span * 3 == 6)
      #expect(-span == -2)
      #expect(1 < span && !(span < 2))
      span += 0.5
      #expect(span == 2.5)
      span -= 1
      #expect(span == 1.5)
      span *= 4
      #expect(span == 6)
    }
    check(Self.types[index])
  }

  @Test(arguments: types.indices) func momentsAreASpanApart(_ index: Int) {
    func check<M: Moment>(_: M.Type) {
      let start = M(Date(timeIntervalSinceReferenceDate: 100))
      let end = start.advanced(by: 1.5)
      #expect(end.date == Date(timeIntervalSinceReferenceDate: 101.5))
      #expect(start.distance(to: end) == 1.5)
      #expect(end.distance(to: start) == -1.5)
      #expect(start < end && !(end < start) && !(start < start))
      #expect(start != end)
      #expect(Set([start, end, start]).count == 2)
    }
    check(Self.types[index])
  }

  @Test(arguments: types.indices) func bothKeepTheirValueWhenCoded(_ index: Int) throws {
    func check<M: Moment>(_: M.Type) throws {
      let moment = M(Date(timeIntervalSinceReferenceDate: 12.5))
      let kept = try JSONEncoder().encode(moment)
      #expect(String(decoding: kept, as: UTF8.self) == #"{"date":12.5}"#)
      #expect(try JSONDecoder().decode(M.self, from: kept) == moment)
      let span: M.Stride = 2.5
      let keptSpan = try JSONEncoder().encode(span)
      #expect(String(decoding: keptSpan, as: UTF8.self) == #"{"magnitude":2.5}"#)
      #expect(try JSONDecoder().decode(M.Stride.self, from: keptSpan) == span)
    }
    try check(Self.types[index])
  }
}
