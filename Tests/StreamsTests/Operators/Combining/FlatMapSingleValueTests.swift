import TestSupport
import Testing

@testable import Streams

private typealias Source = ScriptedPublisher<Int, TestError>

/// `flatMap` and `merge` deliver the value of a publisher of one value without subscribing to it.
/// The difference is invisible: all histories equal those of the same publishers behind an erased
/// type.
struct FlatMapSingleValueTests {
  /// A publisher of one value, with its type visible or erased.
  struct Form {
    let name: String
    fileprivate let publish:
      (Source, Subscribers.Demand, (() -> Void)?) -> AnyPublisher<Int, TestError>

    init<P: Publisher>(_ name: String, _ make: @escaping (Int) -> P)
    where P.Output == Int, P.Failure == TestError {
      self.name = name
      publish = { source, maxPublishers, onTransform in
        source.flatMap(maxPublishers: maxPublishers) { value in
          onTransform?()
          return make(value)
        }
        .eraseToAnyPublisher()
      }
    }

    static var all: [Form] {
      [
        Form("Just") { Just($0).setFailureType(to: TestError.self) },
        Form("Optional") {
          Publishers.SetFailureType<Int?.Publisher, TestError>(
            upstream: ($0 == 2 ? nil : $0).publisher)
        },
        Form("Result") {
          ($0 == 4 ? Result<Int, TestError>.failure("no more") : .success($0)).publisher
        },
      ]
    }

    static var erased: [Form] {
      [
        Form("Just") { Just($0).setFailureType(to: TestError.self).eraseToAnyPublisher() },
        Form("Optional") {
          ($0 == 2 ? nil : $0).publisher.setFailureType(to: TestError.self).eraseToAnyPublisher()
        },
        Form("Result") {
          ($0 == 4 ? Result<Int, TestError>.failure("no more") : .success($0)).publisher
            .eraseToAnyPublisher()
        },
      ]
    }
  }

  /// An additional event in a run.
  enum Plot: CaseIterable {
    case nothing, requestInside, cancelInside, sendInside, finishInside, failInside
    case cancelInTransform, finishInTransform, failInTransform
  }

  /// The signals that upstream and downstream received for five values.
  private func lines(
    _ form: Form, _ demand: Subscribers.Demand, _ maxPublishers: Subscribers.Demand, _ plot: Plot
  ) -> [String] {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, TestError>(demand: demand, log: log)
    var isOver = false
    var hasSent = false
    let act = {
      switch plot {
      case .nothing: break
      case .requestInside: history.request(1)
      case .cancelInside, .cancelInTransform: history.cancel()
      case .sendInside:
        if !hasSent {
          hasSent = true
          log.append("demand after 10: \(source.send(10))")
        }
      case .finishInside, .finishInTransform:
        if !isOver {
          isOver = true
          source.finish()
        }
      case .failInside, .failInTransform:
        if !isOver {
          isOver = true
          source.fail("enough")
        }
      }
    }
    let isInTransform =
      [.cancelInTransform, .finishInTransform, .failInTransform].contains(plot)
    history.onValue = { value in
      if !isInTransform, value == 1 || value == 3 { act() }
      log.append("end of \(value)")
      return value == 3 ? .max(1) : .none
    }
    var transforms = 0
    form.publish(source, maxPublishers) {
      transforms += 1
      log.append("transform")
      if isInTransform, transforms == 2 { act() }
    }
    .subscribe(history)
    for value in 1...5 { log.append("demand after \(value): \(source.send(value))") }
    history.request(1)
    log.append("end")
    source.finish()
    history.request(.unlimited)
    history.onValue = nil
    history.releaseSubscription()
    return log.lines
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .max(3), .unlimited], Plot.allCases)
  func historiesEqualThoseBehindAnErasedType(_ demand: Subscribers.Demand, _ plot: Plot) {
    for maxPublishers in [Subscribers.Demand.max(1), .max(2), .unlimited] {
      for (form, erased) in zip(Form.all, Form.erased) {
        #expect(
          lines(form, demand, maxPublishers, plot) == lines(erased, demand, maxPublishers, plot),
          "\(form.name), \(maxPublishers)")
      }
    }
  }

  @Test func aPublisherWhoseTransformFinishesUpstreamStillDelivers() {
    let source = Source()
    let child = ScriptedPublisher<Int, TestError>()
    let history = source.flatMap { _ in
      source.finish()
      return child
    }.history()
    source.send(1)
    child.send(10)
    #expect(history.events == [.subscription("FlatMap"), .value(10)])
    child.finish()
    #expect(history.events.last == .finished)
  }

  @Test func publishersOfOneValueAreNotSubscribedTo() {
    /// What a publisher delivers without a subscription; `nil` if it can't.
    func delivered<P: Publisher>(_ publisher: P) -> [P.Output]? {
      var values: [P.Output] = []
      return publisher._deliverAll(while: { true }) { values.append($0) }.value ? values : nil
    }
    // The speed depends on this. If it fails, the tests above compare nothing.
    #expect(delivered(Just(1)) == [1])
    #expect(delivered(Just(1).setFailureType(to: TestError.self)) == [1])
    #expect(
      delivered(Publishers.SetFailureType<Just<Int>, TestError>(upstream: Just(1))) == [1])
    #expect(delivered(Int?.some(1).publisher) == [1])
    #expect(delivered(Int?.none.publisher) == [])
    #expect(delivered(Result<Int, TestError>.success(1).publisher) == [1])
    #expect(delivered(Result<Int, TestError>.failure("no").publisher) == nil)
    #expect(delivered(Just(1).eraseToAnyPublisher()) == nil)
    #expect(delivered([1, 2].publisher) == [1, 2])
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .unlimited])
  func mergedValuesAreTheSameAsWithSubscriptions(_ demand: Subscribers.Demand) {
    func events(_ history: History<Int, Never>) -> [History<Int, Never>.Event] {
      history.request(1)
      history.request(.unlimited)
      return history.events
    }
    let seen = Just(1).merge(with: [2, 3].publisher, Just(4)).history(demand: demand)
    let erased = Just(1).eraseToAnyPublisher()
      .merge(with: [2, 3].publisher.eraseToAnyPublisher(), Just(4).eraseToAnyPublisher())
      .history(demand: demand)
    #expect(events(seen) == events(erased))
  }
}
