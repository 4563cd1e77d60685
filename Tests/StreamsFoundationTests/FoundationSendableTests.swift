import StreamsFoundation
import Testing

/// Does nothing at run time: with a type that isn't `Sendable`, a call of it doesn't compile.
private func requireSendable<T: Sendable>(_: T.Type) {}

@Suite struct FoundationSendableTests {
  @Test func schedulersAndTheirTimes() {
    requireSendable(DispatchQueue.SchedulerTimeType.self)
    requireSendable(DispatchQueue.SchedulerTimeType.Stride.self)
    requireSendable(DispatchQueue.SchedulerOptions.self)
    requireSendable(OperationQueue.SchedulerTimeType.self)
    requireSendable(OperationQueue.SchedulerTimeType.Stride.self)
    requireSendable(OperationQueue.SchedulerOptions.self)
    requireSendable(RunLoop.SchedulerTimeType.self)
    requireSendable(RunLoop.SchedulerTimeType.Stride.self)
    requireSendable(RunLoop.SchedulerOptions.self)
  }

  @Test func publishers() {
    requireSendable(URLSession.DataTaskPublisher.self)
    requireSendable(Publishers.Share<URLSession.DataTaskPublisher>.self)
    requireSendable(Publishers.Decode<PassthroughSubject<Data, Never>, Int, JSONDecoder>.self)
    requireSendable(Publishers.Encode<Just<Int>, JSONEncoder>.self)
    requireSendable(Publishers.ReceiveOn<Just<Int>, DispatchQueue>.self)
    requireSendable(Publishers.Delay<Just<Int>, DispatchQueue>.self)
    requireSendable(Publishers.Debounce<Just<Int>, OperationQueue>.self)
  }
}
