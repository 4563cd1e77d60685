import Combine
import Foundation
import Testing

#if swift(>=6)
  import OlderSystems
#else
  import OlderSystems5
#endif

// This module imports Combine's API and the library's. All of it compiles, and the library's
// declarations are chosen, as on the systems that they're for.

private struct Oops: Error {}

private final class Counter: ObservableObject {
  @Published var count = 0
}

@Test func theLibrarysPublisherOfAnOptionalIsChosen() {
  let publisher = Optional(1).publisher
  #expect(type(of: publisher) == AnyPublisher<Int, Never>.self)
}

@Test func overloadsForStreamsThatCannotFailAreNotAmbiguous() {
  var values: [Int] = []
  _ = [1].publisher
    .flatMap { Just($0).setFailureType(to: Oops.self) }
    .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
  _ = [2].publisher.setFailureType(to: Oops.self)
    .flatMap { Just($0) }
    .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
  _ = [3].publisher
    .flatMap { Just($0) }
    .sink { values.append($0) }
  _ = Just(Just(4).setFailureType(to: Oops.self))
    .switchToLatest()
    .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
  _ = Just(Just(5)).setFailureType(to: Oops.self)
    .switchToLatest()
    .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
  _ = Just(Just(6))
    .switchToLatest()
    .sink { values.append($0) }
  #expect(values == [1, 2, 3, 4, 5, 6])
}

@Test func theLibrarysAssignIsChosen() {
  let counter = Counter()
  Just(7).assign(to: &counter.$count)
  #expect(assigned == ["assign(to:)"])
}

@Test func theLibrarysValuesAreChosen() async throws {
  let numbers = [1, 2].publisher.values
  #expect(type(of: numbers) == AsyncStream<Int>.self)
  let failing = [3].publisher.setFailureType(to: Oops.self).values
  #expect(type(of: failing) == AsyncThrowingStream<Int, any Error>.self)
  #expect(await Future<Int, Never> { $0(.success(4)) }.value == 4)
}
