import StreamsFoundation

// region: recipe
/// Loads a value when it's needed, and keeps it for some time.
final class AgingCache<Value, Failure: Error, Context: Scheduler> {
  private let age: Context.SchedulerTimeType.Stride
  private let scheduler: Context
  private let load: () -> AnyPublisher<Value, Failure>
  /// Recursive, because a load may end at once.
  private let lock = NSRecursiveLock()
  private var kept: (value: Future<Value?, Failure>, until: Context.SchedulerTimeType?)?
  private var loading: AnyCancellable?

  /// - Parameters:
  ///   - age: How long a value is kept, from its arrival on.
  ///   - scheduler: The clock for the age.
  ///   - load: Makes a publisher of one value. A failure isn't kept, nor is an empty stream.
  init(
    age: Context.SchedulerTimeType.Stride, scheduler: Context,
    load: @escaping () -> AnyPublisher<Value, Failure>
  ) {
    (self.age, self.scheduler, self.load) = (age, scheduler, load)
  }

  /// The kept value, or the one that's being loaded. It's decided when you subscribe.
  var value: AnyPublisher<Value, Failure> {
    Deferred { self.current() }.compactMap { $0 }.eraseToAnyPublisher()
  }

  private func current() -> Future<Value?, Failure> {
    lock.lock()
    defer { lock.unlock() }
    if let kept, kept.until.map({ scheduler.now < $0 }) ?? true { return kept.value }
    var fulfil: (Result<Value?, Failure>) -> Void = { _ in }
    let value = Future { fulfil = $0 }
    kept = (value, nil)
    loading = load().map(Optional.some).replaceEmpty(with: nil).first().sink(
      receiveCompletion: { [weak self] completion in
        guard case .failure(let error) = completion else { return }
        self?.lock.withLock { self?.kept = nil }
        fulfil(.failure(error))
      },
      receiveValue: { [weak self, scheduler, age] loaded in
        let until = loaded.map { _ in scheduler.now.advanced(by: age) }
        self?.lock.withLock { self?.kept = until.map { (value, $0) } }
        fulfil(.success(loaded))
      })
    return value
  }
}
// endregion
