import Streams
import TestSupport
import Testing

/// Tests which overload a call chooses, by the type of its result. Compiling it is most of the
/// test.
struct OverloadTests {
  private typealias Numbers = PassthroughSubject<Int, Never>
  private typealias Failing = PassthroughSubject<Int, TestError>

  private struct Person {
    var name: String
    var age: Int
  }

  private let numbers = Numbers()
  private let failing = Failing()
  private let people = PassthroughSubject<Person, Never>()

  @Test func aKeyPathMakesAKeyPathPublisher() {
    typealias People = PassthroughSubject<Person, Never>
    let name = \Person.name
    expect(people.map(\.name), is: Publishers.MapKeyPath<People, String>.self)
    expect(people.map(name), is: Publishers.MapKeyPath<People, String>.self)
    expect(people.map(\.name, \.age), is: Publishers.MapKeyPath2<People, String, Int>.self)
    expect(
      people.map(\.name, \.age, \.name.count),
      is: Publishers.MapKeyPath3<People, String, Int, Int>.self)
    expect(
      numbers.map { $0 + 1 }.map(\.description),
      is: Publishers.MapKeyPath<Publishers.Map<Numbers, Int>, String>.self)
    expect(
      [1].publisher.map(\.description),
      is: Publishers.MapKeyPath<Publishers.Sequence<[Int], Never>, String>.self)
  }

  @Test func aClosureOrAFunctionMakesAMap() {
    func text(_ number: Int) -> String { "\(number)" }
    expect(numbers.map { "\($0)" }, is: Publishers.Map<Numbers, String>.self)
    expect(numbers.map({ "\($0)" }), is: Publishers.Map<Numbers, String>.self)
    expect(numbers.map(text), is: Publishers.Map<Numbers, String>.self)
    expect(numbers.map(String.init(describing:)), is: Publishers.Map<Numbers, String>.self)
  }

  @Test func twoOperatorsOfOneKindMakeOneStage() {
    expect(numbers.map { $0 + 1 }.map { "\($0)" }, is: Publishers.Map<Numbers, String>.self)
    expect(numbers.map { $0 + 1 }.tryMap { $0 + 1 }, is: Publishers.TryMap<Numbers, Int>.self)
    expect(
      numbers.tryMap { $0 + 1 }.map { $0 + 1 }.tryMap { "\($0)" },
      is: Publishers.TryMap<Numbers, String>.self)
    expect(numbers.filter { $0 > 1 }.filter { $0 > 2 }, is: Publishers.Filter<Numbers>.self)
    expect(
      numbers.filter { $0 > 1 }.tryFilter { $0 > 2 }.filter { $0 > 3 },
      is: Publishers.TryFilter<Numbers>.self)
    expect(
      numbers.compactMap { Optional($0) }.compactMap { Optional($0) }.map { "\($0)" },
      is: Publishers.CompactMap<Numbers, String>.self)
    expect(
      numbers.tryCompactMap { Optional($0) }.compactMap { Optional($0) },
      is: Publishers.TryCompactMap<Numbers, Int>.self)
  }

  @Test func operatorsOnKnownValuesRunAtOnce() {
    expect(
      [1].publisher.map { $0 + 1 }.filter { $0 > 1 }.compactMap { Optional($0) }
        .scan(0) { $0 + $1 },
      is: Publishers.Sequence<[Int], Never>.self)
    expect(Just(1).map { $0 + 1 }, is: Just<Int>.self)
    expect(Just(1).filter { $0 > 1 }, is: Int?.Publisher.self)
    expect(Just(1).compactMap { Optional($0) }, is: Int?.Publisher.self)
    expect(Just(1).tryMap { $0 + 1 }, is: Result<Int, any Error>.Publisher.self)
    expect(Just(1).scan(0) { $0 + $1 }, is: Result<Int, Never>.Publisher.self)
    expect(Int?.Publisher(1).map { "\($0)" }, is: String?.Publisher.self)
    expect(
      Result<Int, TestError>.Publisher(1).map { "\($0)" },
      is: Result<String, TestError>.Publisher.self)
  }

  @Test func flatMapGivesTheSideThatCannotFailTheOthersFailure() {
    typealias Lifted = Publishers.SetFailureType<Just<Int>, TestError>
    expect(numbers.flatMap { Just($0) }, is: Publishers.FlatMap<Just<Int>, Numbers>.self)
    expect(failing.flatMap { Just($0) }, is: Publishers.FlatMap<Lifted, Failing>.self)
    expect(failing.flatMap { _ in failing }, is: Publishers.FlatMap<Failing, Failing>.self)
    expect(
      numbers.flatMap { _ in failing },
      is: Publishers.FlatMap<Failing, Publishers.SetFailureType<Numbers, TestError>>.self)
    expect(
      failing.flatMap(maxPublishers: .max(1)) { _ in Empty<Int, TestError>() },
      is: Publishers.FlatMap<Empty<Int, TestError>, Failing>.self)
  }

  @Test func switchToLatestGivesTheSideThatCannotFailTheOthersFailure() {
    typealias Lifted = Publishers.SetFailureType<Just<Int>, TestError>
    expect(
      numbers.map { Just($0) }.switchToLatest(),
      is: Publishers.SwitchToLatest<Just<Int>, Publishers.Map<Numbers, Just<Int>>>.self)
    expect(
      failing.map { Just($0) }.switchToLatest(),
      is: Publishers.SwitchToLatest<
        Lifted, Publishers.Map<Publishers.Map<Failing, Just<Int>>, Lifted>
      >.self)
    expect(
      numbers.map { _ in failing }.switchToLatest(),
      is: Publishers.SwitchToLatest<
        Failing, Publishers.SetFailureType<Publishers.Map<Numbers, Failing>, TestError>
      >.self)
  }

  @Test func overloadsAreChosenInGenericCodeToo() {
    func unfailing<P: Publisher<Int, Never>>(_ source: P) {
      expect(source.flatMap { Just($0) }, is: Publishers.FlatMap<Just<Int>, P>.self)
      expect(
        source.map { Just($0) }.switchToLatest(),
        is: Publishers.SwitchToLatest<Just<Int>, Publishers.Map<P, Just<Int>>>.self)
    }
    func any<P: Publisher>(_ source: P) where P.Output == Int {
      typealias Lifted = Publishers.SetFailureType<Just<Int>, P.Failure>
      expect(source.flatMap { Just($0) }, is: Publishers.FlatMap<Lifted, P>.self)
      expect(source.flatMap { _ in source }, is: Publishers.FlatMap<P, P>.self)
    }
    unfailing(numbers)
    any(failing)
  }

  @Test func anExplicitTypeChoosesTheOverload() {
    let optionals: Publishers.Map<Numbers, Int?> = numbers.map { $0 }
    let doubles: AnyPublisher<Double, Never> = numbers.map { _ in 1 }.eraseToAnyPublisher()
    let lazily: Publishers.Filter<Publishers.Sequence<[Int], Never>> =
      [1, 2].publisher.filter { $0 > 1 }
    #expect(optionals.history().values.isEmpty)
    #expect(doubles.history().values.isEmpty)
    expectEqual(lazily.history().values, [2])
  }

  /// Compiles only if the expression has this type without a type hint.
  private func expect<Actual, Expected>(_ value: Actual, is type: Expected.Type) {
    #expect(Actual.self == Expected.self)
  }
}
