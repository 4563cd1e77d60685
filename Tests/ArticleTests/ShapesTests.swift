import StreamsFoundation
import Testing

// Shapes that code for Combine is written in: functions as arguments, several trailing closures,
// types written out, and extensions with operators of your own.

enum ShapeError: Error, Equatable {
  case odd(Int)
  case wrapped(String)
}

struct Point {
  var x: Int
  var y: Int
}

private func isEven(_ number: Int) -> Bool { number.isMultiple(of: 2) }

private func look(up number: Int) -> AnyPublisher<String, Never> {
  Just("no. \(number)").eraseToAnyPublisher()
}

private func halves(_ number: Int) throws -> Int {
  guard isEven(number) else { throw ShapeError.odd(number) }
  return number / 2
}

private func page(_ number: Int) -> AnyPublisher<[Int], Never> {
  Just((number, number < 3))
    .flatMap { number, hasNext -> AnyPublisher<[Int], Never> in
      let items = Just([number])
      guard hasNext else { return items.eraseToAnyPublisher() }
      return items.append(page(number + 1)).eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
}

private func start<T, E>(
  _ work: @escaping (@escaping (Result<T, E>) -> Void) -> Void
) -> Future<T, E> {
  Future(work)
}

/// A publisher with a subscription of its own.
private struct Down: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let from: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Inner(subscriber: subscriber, count: from))
  }

  private final class Inner<S: Subscriber>: Subscription where S.Input == Int {
    private var subscriber: S?
    private var count: Int
    private var demand: Subscribers.Demand = .none

    init(subscriber: S, count: Int) {
      self.subscriber = subscriber
      self.count = count
    }

    func request(_ demand: Subscribers.Demand) {
      self.demand += demand
      while let subscriber, self.demand > .none {
        self.demand -= .max(1)
        self.demand += subscriber.receive(count)
        count -= 1
        if count < 0 {
          self.subscriber = nil
          subscriber.receive(completion: .finished)
        }
      }
    }

    func cancel() { subscriber = nil }
  }
}

extension Publisher {
  fileprivate func unwrap<T>() -> Publishers.CompactMap<Self, T> where Output == T? {
    compactMap { $0 }
  }

  fileprivate func asResult() -> AnyPublisher<Result<Output, Failure>, Never> {
    map(Result.success).catch { Just(.failure($0)) }.eraseToAnyPublisher()
  }

  fileprivate func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Failure {
    map(transform).switchToLatest()
  }

  fileprivate func withPrevious() -> AnyPublisher<(previous: Output?, current: Output), Failure> {
    scan(Optional<(Output?, Output)>.none) { ($0?.1, $1) }
      .compactMap { $0 }
      .map { (previous: $0.0, current: $0.1) }
      .eraseToAnyPublisher()
  }
}

extension AnyPublisher {
  fileprivate static func just(_ output: Output) -> Self {
    Just(output).setFailureType(to: Failure.self).eraseToAnyPublisher()
  }
}

private protocol Named: AnyObject {
  var name: String { get set }
  var namePublisher: Published<String>.Publisher { get }
}

private final class Pet: Named, ObservableObject {
  @Published var name: String
  var namePublisher: Published<String>.Publisher { $name }

  init(name: String) { _name = Published(initialValue: name) }
}

@Suite final class ShapesTests {
  private var lines: [String] = []
  private var cancellables = Set<AnyCancellable>()

  private func add(_ value: Any) { lines.append("\(value)") }

  @Test func functionsAreArguments() {
    let numbers = [1, 2, 3, 4].publisher
    numbers.map(String.init).sink(receiveValue: add).store(in: &cancellables)
    numbers.filter(isEven).flatMap(look).sink { self.add($0) }.store(in: &cancellables)
    numbers.scan(0, +).reduce(1, *).sink(receiveValue: add).store(in: &cancellables)
    numbers.tryMap(halves).mapError { ShapeError.wrapped("\($0)") }
      .sink(receiveCompletion: add, receiveValue: add).store(in: &cancellables)
    ["4", "x"].publisher.compactMap(Int.init).sink(receiveValue: add).store(in: &cancellables)
    #expect(
      lines == [
        "1", "2", "3", "4", "no. 2", "no. 4", "180",
        "failure(\(String(reflecting: ShapeError.wrapped("odd(1)"))))", "4",
      ])
  }

  @Test func pairsAreTakenApart() {
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<Int, Never>()
    left.zip(right, +).sink(receiveValue: add).store(in: &cancellables)
    left.combineLatest(right).map(*).sink(receiveValue: add).store(in: &cancellables)
    left.combineLatest(right).filter { $0 > $1 }.removeDuplicates { $0 == $1 }
      .sink { left, right in self.add("\(left)>\(right)") }.store(in: &cancellables)
    left.combineLatest(right).flatMap { Just($0 - $1) }.sink { self.add($0) }
      .store(in: &cancellables)
    Just(Point(x: 1, y: 2)).map(\.x, \.y).sink { x, y in self.add("\(x)|\(y)") }
      .store(in: &cancellables)
    left.send(7)
    right.send(3)
    #expect(lines.sorted() == ["10", "1|2", "21", "4", "7>3"])
  }

  @Test func closuresTrail() {
    let numbers = (1...5).publisher
    numbers.first { $0 > 3 }.sink { self.add($0) }.store(in: &cancellables)
    numbers.drop { $0 < 3 }.prefix { $0 < 5 }.collect().sink { self.add($0) }
      .store(in: &cancellables)
    numbers.tryMap { number in
      guard number < 2 else { throw ShapeError.odd(number) }
      return number
    }
    .sink { completion in
      if case .failure(let error as ShapeError) = completion { self.add(error) }
    } receiveValue: { number in
      self.add(number)
    }
    .store(in: &cancellables)
    #expect(lines == ["4", "[3, 4]", "1", "odd(2)"])
  }

  @Test func futuresWrapHandlers() {
    start { (handler: @escaping (Result<Int, Never>) -> Void) in handler(.success(1)) }
      .sink { self.add($0) }.store(in: &cancellables)
    Future<Int, Never> { $0(.success(2)) }.sink { self.add($0) }.store(in: &cancellables)
    Deferred { Future<Int, ShapeError> { promise in promise(.failure(.odd(3))) } }
      .asResult().sink { self.add($0 == .failure(.odd(3))) }.store(in: &cancellables)
    #expect(lines == ["1", "2", "true"])
  }

  @Test func operatorsOfYourOwnAreExtensions() {
    Down(from: 2).sink(receiveCompletion: add, receiveValue: add).store(in: &cancellables)
    [1, nil, 3].publisher.unwrap().collect().sink { self.add($0) }.store(in: &cancellables)
    [1, 2].publisher.withPrevious().sink { self.add("\($0.previous ?? 0)-\($0.current)") }
      .store(in: &cancellables)
    [1, 2].publisher.flatMapLatest(look).last().sink { self.add($0) }.store(in: &cancellables)
    page(1).collect().map { $0.flatMap { $0 } }.sink { self.add($0) }.store(in: &cancellables)
    #expect(
      lines == ["2", "1", "0", "finished", "[1, 3]", "0-1", "1-2", "no. 2", "[1, 2, 3]"])
  }

  @Test func typesAreWrittenOut() {
    let subject = PassthroughSubject<Int, Never>()
    let texts: Publishers.Map<Publishers.Filter<PassthroughSubject<Int, Never>>, String> =
      subject.filter(isEven).map { "\($0)" }
    let first: Optional<Int>.Publisher = [1, 2].publisher.first()
    let checked: Result<Int, any Error>.Publisher = Just(2).tryMap(halves)
    let joined: Publishers.Concatenate<Just<Int>, AnyPublisher<Int, Never>> =
      Just(1).append(.just(2))
    texts.sink { self.add($0) }.store(in: &cancellables)
    for publisher in [first, Just(9), joined] as [any Publisher<Int, Never>] {
      publisher.sink { self.add($0) }.store(in: &cancellables)
    }
    checked.replaceError(with: 0).sink { self.add($0) }.store(in: &cancellables)
    (3...4).forEach(subject.send)
    #expect(lines == ["1", "9", "1", "2", "1", "4"])
  }

  @Test func protocolsAskForPublishedProperties() {
    let pet = Pet(name: "Rex")
    let named: any Named = pet
    named.namePublisher.sink(receiveValue: add).store(in: &cancellables)
    pet.objectWillChange.sink { self.add("will change") }.store(in: &cancellables)
    named.name = "Tom"
    Just("Max").assign(to: &pet.$name)
    #expect(lines == ["Rex", "will change", "Tom", "will change", "Max"])
  }
}
