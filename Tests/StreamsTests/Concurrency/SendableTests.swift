import Streams
import TestSupport
import Testing

// Most of this file is proven by compiling it. It can't state the opposite: publishers with
// closures, such as `Map`, aren't `Sendable`, because Combine's closures aren't. Neither are
// `AnyPublisher` and `AnySubscriber`, which may hide closures.

/// Does nothing at run time: with a type that isn't `Sendable`, a call of it doesn't compile.
func requireSendable<T: Sendable>(_: T.Type) {}

private typealias Source = PassthroughSubject<Int, TestError>
private typealias Other = PassthroughSubject<String, TestError>
private typealias Clock = ImmediateScheduler

@Suite struct SendableTests {
  @Test func basicTypes() {
    requireSendable(AnyCancellable.self)
    requireSendable(Subscribers.Demand.self)
    requireSendable(Subscribers.Completion<TestError>.self)
    requireSendable(CombineIdentifier.self)
    requireSendable(ImmediateScheduler.self)
    requireSendable(ImmediateScheduler.SchedulerTimeType.self)
    requireSendable(ImmediateScheduler.SchedulerTimeType.Stride.self)
  }

  @Test func subjects() {
    requireSendable(PassthroughSubject<Int, TestError>.self)
    requireSendable(CurrentValueSubject<Int, TestError>.self)
    requireSendable(ObservableObjectPublisher.self)
    requireSendable(Published<Int>.Publisher.self)
  }

  @Test func sources() {
    requireSendable(Just<Int>.self)
    requireSendable(Empty<Int, TestError>.self)
    requireSendable(Fail<Int, TestError>.self)
    requireSendable(Future<Int, TestError>.self)
    requireSendable(Record<Int, TestError>.self)
    requireSendable(Record<Int, TestError>.Recording.self)
    requireSendable(Publishers.Sequence<[Int], TestError>.self)
    requireSendable(Optional<Int>.Publisher.self)
    requireSendable(Result<Int, TestError>.Publisher.self)
  }

  @Test func operatorsWithOneUpstream() {
    requireSendable(Publishers.SetFailureType<PassthroughSubject<Int, Never>, TestError>.self)
    requireSendable(Publishers.ReplaceEmpty<Source>.self)
    requireSendable(Publishers.ReplaceError<Source>.self)
    requireSendable(Publishers.Retry<Source>.self)
    requireSendable(Publishers.AssertNoFailure<Source>.self)
    requireSendable(Publishers.Collect<Source>.self)
    requireSendable(Publishers.CollectByCount<Source>.self)
    requireSendable(Publishers.Count<Source>.self)
    requireSendable(Publishers.Contains<Source>.self)
    requireSendable(Publishers.IgnoreOutput<Source>.self)
    requireSendable(Publishers.First<Source>.self)
    requireSendable(Publishers.Last<Source>.self)
    requireSendable(Publishers.Output<Source>.self)
    requireSendable(Publishers.Drop<Source>.self)
    requireSendable(Publishers.PrefetchStrategy.self)
    requireSendable(Publishers.Encode<Source, Coder>.self)
    requireSendable(Publishers.Decode<Other, Int, Coder>.self)
  }

  @Test func operatorsThatShare() {
    requireSendable(Publishers.Share<Source>.self)
    requireSendable(Publishers.MakeConnectable<Source>.self)
    requireSendable(Publishers.Autoconnect<Publishers.MakeConnectable<Source>>.self)
  }

  @Test func operatorsWithSeveralUpstreams() {
    requireSendable(Publishers.Merge<Source, Source>.self)
    requireSendable(Publishers.Merge3<Source, Source, Source>.self)
    requireSendable(Publishers.Merge4<Source, Source, Source, Source>.self)
    requireSendable(Publishers.Merge5<Source, Source, Source, Source, Source>.self)
    requireSendable(Publishers.Merge6<Source, Source, Source, Source, Source, Source>.self)
    requireSendable(
      Publishers.Merge7<Source, Source, Source, Source, Source, Source, Source>.self)
    requireSendable(
      Publishers.Merge8<Source, Source, Source, Source, Source, Source, Source, Source>.self)
    requireSendable(Publishers.MergeMany<Source>.self)
    requireSendable(Publishers.Zip<Source, Other>.self)
    requireSendable(Publishers.Zip3<Source, Other, Source>.self)
    requireSendable(Publishers.Zip4<Source, Other, Source, Other>.self)
    requireSendable(Publishers.CombineLatest<Source, Other>.self)
    requireSendable(Publishers.CombineLatest3<Source, Other, Source>.self)
    requireSendable(Publishers.CombineLatest4<Source, Other, Source, Other>.self)
    requireSendable(Publishers.Concatenate<Source, Source>.self)
    requireSendable(Publishers.DropUntilOutput<Source, Other>.self)
    requireSendable(Publishers.PrefixUntilOutput<Source, Other>.self)
    requireSendable(
      Publishers.SwitchToLatest<Source, PassthroughSubject<Source, TestError>>.self)
  }

  @Test func operatorsWithASchedulerOrTimes() {
    requireSendable(Publishers.ReceiveOn<Source, Clock>.self)
    requireSendable(Publishers.SubscribeOn<Source, Clock>.self)
    requireSendable(Publishers.Delay<Source, Clock>.self)
    requireSendable(Publishers.Debounce<Source, Clock>.self)
    requireSendable(Publishers.Throttle<Source, Clock>.self)
    requireSendable(Publishers.MeasureInterval<Source, Clock>.self)
    requireSendable(Publishers.CollectByTime<Source, Clock>.self)
    requireSendable(Publishers.TimeGroupingStrategy<Clock>.self)
  }

  @Test func asyncSequences() {
    requireSendable(AsyncPublisher<PassthroughSubject<Int, Never>>.self)
    requireSendable(AsyncPublisher<PassthroughSubject<Int, Never>>.Iterator.self)
    requireSendable(AsyncThrowingPublisher<Source>.self)
    requireSendable(AsyncThrowingPublisher<Source>.Iterator.self)
  }

  @Test func aTaskSendsToASubjectThatItCaptures() async {
    let subject = PassthroughSubject<Int, Never>()
    let history = subject.history()
    await Task { subject.send(1) }.value
    #expect(history.values == [1])
  }

  @Test func aTaskCancelsWhatItCaptures() async {
    let source = ScriptedPublisher<Int, Never>()
    let cancellable = source.sink { _ in }
    await Task.detached { cancellable.cancel() }.value
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func tasksSubscribeToOneSharedPublisher() async {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    let histories = await withTaskGroup(of: History<Int, Never>.self) { group in
      for _ in 0..<8 { group.addTask { shared.history() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    source.send(7)
    #expect(source.subscriberCount == 1)
    #expect(histories.map(\.values) == Array(repeating: [7], count: 8))
  }
}

/// Encodes and decodes numbers as text.
private struct Coder: TopLevelEncoder, TopLevelDecoder {
  typealias Input = String
  typealias Output = String

  func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    throw TestError("not needed")
  }
}
