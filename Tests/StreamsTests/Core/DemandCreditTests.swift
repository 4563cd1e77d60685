import Testing

@testable import Streams

@Suite struct DemandCreditTests {
  /// A credit in a class, because `#expect` needs values that can be copied.
  private final class Credit {
    private let credit = DemandCredit()

    var demand: Subscribers.Demand { credit.demand }
    var isEnded: Bool { credit.isEnded }

    func add(_ demand: Subscribers.Demand) { credit.add(demand) }
    func take() -> Bool { credit.take() }
    func end() -> Bool { credit.end() }
  }

  private let credit = Credit()

  @Test func demandIsTakenOneByOne() {
    #expect(!credit.take())
    credit.add(.max(2))
    credit.add(.none)
    #expect(credit.demand == .max(2))
    #expect([credit.take(), credit.take(), credit.take()] == [true, true, false])
    #expect(credit.demand == .none)
  }

  @Test func unlimitedIsNotUsedUp() {
    credit.add(.unlimited)
    credit.add(.max(3))
    #expect(credit.take())
    #expect(credit.demand == .unlimited)
  }

  @Test(arguments: [[Int.max], [.max - 1, 5], [.max, .max]])
  func aCountIsNeverUnlimited(requests: [Int]) {
    for request in requests { credit.add(.max(request)) }
    #expect(credit.demand == .max(.max - 1))
    #expect(credit.take())
    #expect(credit.demand == .max(.max - 2))
  }

  @Test func endsOnlyOnce() {
    credit.add(.max(1))
    #expect(credit.end())
    #expect(!credit.end())
    credit.add(.unlimited)
    #expect(credit.isEnded)
    #expect(!credit.take())
    #expect(credit.demand == .none)
  }
}
