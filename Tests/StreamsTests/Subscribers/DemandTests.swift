import Foundation
import Streams
import TestSupport
import Testing

/// Tests every operator with every pair of these demands. The model is a number, or infinity.
@Suite struct DemandTests {
  typealias Demand = Subscribers.Demand

  static let demands: [Demand] = [
    .none, .max(1), .max(2), .max(3), .max(.max / 2 + 1), .max(.max - 1), .max(.max), .unlimited,
  ]

  static let counts: [Int] = [
    .min, .min + 1, -3, -1, 0, 1, 2, 3, .max / 2 + 1, .max - 1, .max,
  ]

  /// The demand as a number. Unlimited is greater than every count.
  func magnitude(_ demand: Demand) -> Int128 {
    demand.max.map { Int128($0) } ?? Int128(Int.max) + 1
  }

  /// The demand for a result of arithmetic; `nil` if the result is negative.
  func demand(_ count: Int128) -> Demand? {
    if count < 0 { return nil }
    return Int(exactly: count).map { .max($0) } ?? .unlimited
  }

  @Test func isACountOrUnlimited() {
    expectEqual(Demand.none, .max(0))
    expectEqual(Demand.none.max, 0)
    expectEqual(Demand.max(3).max, 3)
    expectEqual(Demand.max(.max).max, .max)
    #expect(Demand.unlimited.max == nil)
    #expect(Demand.unlimited != .max(.max))
  }

  @Test func isDescribedAsItIsMade() {
    expectEqual(Self.demands[0...1].map(\.description), ["max(0)", "max(1)"])
    expectEqual(Demand.max(.max).description, "max(9223372036854775807)")
    expectEqual(Demand.unlimited.description, "unlimited")
  }

  @Test(arguments: demands, demands) func addsDemands(first: Demand, second: Demand) {
    let isUnlimited = first == .unlimited || second == .unlimited
    let sum = isUnlimited ? .unlimited : demand(magnitude(first) + magnitude(second))
    expectEqual(first + second, sum)
    var changed = first
    changed += second
    expectEqual(changed, sum)
  }

  @Test(arguments: demands, counts) func addsCounts(first: Demand, count: Int) {
    let sum = first == .unlimited ? .unlimited : demand(magnitude(first) + Int128(count))
    guard let sum else { return }
    expectEqual(first + count, sum)
    var changed = first
    changed += count
    expectEqual(changed, sum)
  }

  @Test(arguments: demands, demands) func subtractsDemands(first: Demand, second: Demand) {
    let difference =
      switch (first, second) {
      case (.unlimited, _): Demand.unlimited as Demand?
      case (_, .unlimited): .none as Demand
      default: demand(magnitude(first) - magnitude(second))
      }
    guard let difference else { return }
    expectEqual(first - second, difference)
    var changed = first
    changed -= second
    expectEqual(changed, difference)
  }

  @Test(arguments: demands, counts) func subtractsCounts(first: Demand, count: Int) {
    let exact = magnitude(first) - Int128(count)
    // Combine's rule: a difference that doesn't fit an `Int` becomes `.none`.
    let difference =
      first == .unlimited ? .unlimited : exact > Int.max ? Demand.none as Demand : demand(exact)
    guard let difference else { return }
    expectEqual(first - count, difference)
    var changed = first
    changed -= count
    expectEqual(changed, difference)
  }

  @Test(arguments: demands, counts.filter { $0 >= 0 })
  func multipliesByCounts(first: Demand, count: Int) {
    let product =
      first == .unlimited ? .unlimited : demand(magnitude(first) * Int128(count))
    expectEqual(first * count, product)
    var changed = first
    changed *= count
    expectEqual(changed, product)
  }

  @Test(arguments: demands, demands) func comparesDemands(first: Demand, second: Demand) {
    let (a, b) = (magnitude(first), magnitude(second))
    expectEqual((first == second), (a == b))
    expectEqual((first != second), (a != b))
    expectEqual((first < second), (a < b))
    expectEqual((first <= second), (a <= b))
    expectEqual((first > second), (a > b))
    expectEqual((first >= second), (a >= b))
    if a == b { expectEqual(first.hashValue, second.hashValue) }
  }

  @Test(arguments: demands, counts) func comparesWithCounts(demand: Demand, count: Int) {
    let (a, b) = (magnitude(demand), Int128(count))
    expectEqual((demand == count), (a == b))
    expectEqual((demand != count), (a != b))
    expectEqual((demand < count), (a < b))
    expectEqual((demand <= count), (a <= b))
    expectEqual((demand > count), (a > b))
    expectEqual((demand >= count), (a >= b))
    expectEqual((count == demand), (b == a))
    expectEqual((count != demand), (b != a))
    expectEqual((count < demand), (b < a))
    expectEqual((count <= demand), (b <= a))
    expectEqual((count > demand), (b > a))
    expectEqual((count >= demand), (b >= a))
  }

  @Test(arguments: [
    (Demand.none, "0"), (.max(3), "3"), (.max(.max), "9223372036854775807"),
    (.unlimited, "9223372036854775808"),
  ])
  func isCodedAsABareNumber(demand: Demand, json: String) throws {
    expectEqual(String(decoding: try JSONEncoder().encode(demand), as: UTF8.self), json)
    expectEqual(try JSONDecoder().decode(Demand.self, from: Data(json.utf8)), demand)
    let list = try PropertyListEncoder().encode([demand])
    expectEqual(try PropertyListDecoder().decode([Demand].self, from: list), [demand])
    expectEqual(try PropertyListDecoder().decode([UInt].self, from: list), [UInt(json)])
  }

  @Test func nothingThatIsDecodedIsAboveUnlimited() throws {
    let json = "18446744073709551615"
    expectEqual(try JSONDecoder().decode(Demand.self, from: Data(json.utf8)), .unlimited)
  }

  enum Misuse: String, CaseIterable, Codable {
    case negativeMaximum, sumBelowZero, differenceBelowZero, differenceOfCountsBelowZero
    case productBelowZero, addingInPlace, subtractingInPlace, multiplyingInPlace

    func commit() {
      var demand = Demand.max(2)
      switch self {
      case .negativeMaximum: demand = .max(-1)
      case .sumBelowZero: demand = demand + -3
      case .differenceBelowZero: demand = demand - .max(3)
      case .differenceOfCountsBelowZero: demand = demand - 3
      case .productBelowZero: demand = demand * -1
      case .addingInPlace: demand += -3
      case .subtractingInPlace: demand -= .max(3)
      case .multiplyingInPlace: demand *= -1
      }
      print(demand)
    }
  }

  @Test(arguments: Misuse.allCases)
  func aDemandBelowZeroIsAProgrammingError(misuse: Misuse) async {
    await #expect(processExitsWith: .failure) { [misuse = misuse as Misuse] in misuse.commit() }
  }
}
