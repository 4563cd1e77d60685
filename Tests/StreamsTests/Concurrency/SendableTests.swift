import Streams
import TestSupport
import Testing

// Most of this file is proven by compiling it. It can't state the opposite: publishers with
// closures, such as `Map`, aren't `Sendable`, because Combine's closures aren't. Neither are
// `AnyPublisher` and `AnySubscriber`, which may hide closures.

/// Does nothing at run time: with a type that isn't `Sendable`, a call of it doesn't compile.
func requireSendable<each Value: Sendable>(_: repeat (each Value).Type) {}

private typealias Source = PassthroughSubject<Int, TestError>
private typealias Other = PassthroughSubject<String, TestError>
private typealias Clock = ImmediateScheduler

@Suite struct SendableTests {
  @Test func allTypesWithoutClosuresAreSendable() {
    requireSendable(
      AnyCancellable.self, Subscribers.Demand.self, Subscribers.Completion<TestError>.self,
      CombineIdentifier.self, ImmediateScheduler.self, ImmediateScheduler.SchedulerTimeType.self,
      ImmediateScheduler.SchedulerTimeType.Stride.self, PassthroughSubject<Int, TestError>.self,
      CurrentValueSubject<Int, TestError>.self, ObservableObjectPublisher.self,
      Published<Int>.Publisher.self, Just<Int>.self, Empty<Int, TestError>.self,
      Fail<Int, TestError>.self, Future<Int, TestError>.self, Record<Int, TestError>.self,
      Record<Int, TestError>.Recording.self, Publishers.Sequence<[Int], TestError>.self,
      Optional<Int>.Publisher.self, Result<Int, TestError>.Publisher.self,
      Publishers.SetFailureType<PassthroughSubject<Int, Never>, TestError>.self,
      Publishers.ReplaceEmpty<Source>.self, Publishers.ReplaceError<Source>.self,
      Publishers.Retry<Source>.self, Publishers.AssertNoFailure<Source>.self,
      Publishers.Collect<Source>.self, Publishers.CollectByCount<Source>.self,
      Publishers.Count<Source>.self, Publishers.Contains<Source>.self,
      Publishers.IgnoreOutput<Source>.self, Publishers.First<Source>.self,
      Publishers.Last<Source>.self, Publishers.Output<Source>.self, Publishers.Drop<Source>.self,
      Publishers.PrefetchStrategy.self, Publishers.Encode<Source, Coder>.self,
      Publishers.Decode<Other, Int, Coder>.self, Publishers.Share<Source>.self,
      Publishers.MakeConnectable<Source>.self,
      Publishers.Autoconnect<Publishers.MakeConnectable<Source>>.self,
      Publishers.Merge<Source, Source>.self, Publishers.Merge3<Source, Source, Source>.self,
      Publishers.Merge4<Source, Source, Source, Source>.self,
      Publishers.Merge5<Source, Source, Source, Source, Source>.self,
      Publishers.Merge6<Source, Source, Source, Source, Source, Source>.self,
      Publishers.Merge7<Source, Source, Source, Source, Source, Source, Source>.self,
      Publishers.Merge8<Source, Source, Source, Source, Source, Source, Source, Source>.self,
      Publishers.MergeMany<Source>.self, Publishers.Zip<Source, Other>.self,
      Publishers.Zip3<Source, Other, Source>.self,
      Publishers.Zip4<Source, Other, Source, Other>.self,
      Publishers.CombineLatest<Source, Other>.self,
      Publishers.CombineLatest3<Source, Other, Source>.self,
      Publishers.CombineLatest4<Source, Other, Source, Other>.self,
      Publishers.Concatenate<Source, Source>.self, Publishers.DropUntilOutput<Source, Other>.self,
      Publishers.PrefixUntilOutput<Source, Other>.self,
      Publishers.SwitchToLatest<Source, PassthroughSubject<Source, TestError>>.self,
      Publishers.ReceiveOn<Source, Clock>.self, Publishers.SubscribeOn<Source, Clock>.self,
      Publishers.Delay<Source, Clock>.self, Publishers.Debounce<Source, Clock>.self,
      Publishers.Throttle<Source, Clock>.self, Publishers.MeasureInterval<Source, Clock>.self,
      Publishers.CollectByTime<Source, Clock>.self, Publishers.TimeGroupingStrategy<Clock>.self,
      AsyncPublisher<PassthroughSubject<Int, Never>>.self,
      AsyncPublisher<PassthroughSubject<Int, Never>>.Iterator.self,
      AsyncThrowingPublisher<Source>.self, AsyncThrowingPublisher<Source>.Iterator.self)
  }

  @Test func aTaskSendsToASubjectThatItCaptures() async {
    let subject = PassthroughSubject<Int, Never>()
    let history = subject.history()
    await Task { subject.send(1) }.value
    expectEqual(history.values, [1])
  }

  @Test func aTaskCancelsWhatItCaptures() async {
    let source = ScriptedPublisher<Int, Never>()
    let cancellable = source.sink { _ in }
    await Task.detached { cancellable.cancel() }.value
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func tasksSubscribeToOneSharedPublisher() async {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    let histories = await withTaskGroup(of: History<Int, Never>.self) { group in
      for _ in 0..<8 { group.addTask { shared.history() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    source.send(7)
    expectEqual(source.subscriberCount, 1)
    expectEqual(histories.map(\.values), Array(repeating: [7], count: 8))
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
