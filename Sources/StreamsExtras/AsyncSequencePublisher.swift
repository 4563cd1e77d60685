@_exported import Streams

/// A publisher of the elements of an asynchronous sequence.
///
/// This is the way back from `values`. **Combine doesn't have it.** That's why it lives in a module
/// of its own, and why no method of `AsyncSequence` makes it.
///
///     let bytes = AsyncStream<UInt8> { continuation in … }
///     let cancellable = AsyncSequencePublisher(bytes).sink { print($0) }
///
/// Each subscriber gets its own iterator, made when it subscribes, and its own task. Some
/// sequences, such as `AsyncStream`, share their elements among their iterators: then each element
/// goes to one of the subscribers.
///
/// **Demand.** The task asks the iterator for an element only when one is requested, and for the
/// next one only after that one was delivered. So the end of the sequence is also noticed only with
/// demand: after the last element, the completion needs one more request.
///
/// **Ends.** The publisher finishes when the iterator returns `nil`, and fails with the error that
/// it throws. Cancelling the subscription cancels the task, and releases the subscriber at once.
/// Whether a waiting iterator notices the cancellation is up to the sequence. If the subscriber
/// releases its subscription, and all that it has requested was delivered, the task ends too.
///
/// **Threads.** All signals except the subscription come from the task, so they arrive on a thread
/// of Swift's concurrency pool, one at a time. Use `receive(on:)` for another place. The task
/// inherits the task-local values of the code that subscribes.
public struct AsyncSequencePublisher<Elements>: Publisher, Sendable
where Elements: AsyncSequence & Sendable {
  /// The type of the elements.
  public typealias Output = Elements.Element

  /// The type of error that the sequence throws: `Never` if it can't throw.
  public typealias Failure = Elements.Failure

  /// The sequence.
  public let elements: Elements

  /// The priority of each subscription's task; `nil` for that of the code that subscribes.
  public let priority: TaskPriority?

  /// Makes a publisher of the elements of a sequence. Nothing is iterated yet.
  ///
  /// - Parameters:
  ///   - elements: The sequence.
  ///   - priority: The priority of each subscription's task; `nil` for that of the code that
  ///     subscribes.
  public init(_ elements: Elements, priority: TaskPriority? = nil) {
    self.elements = elements
    self.priority = priority
  }

  public func receive<S>(subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    // Made here, so that a sequence that begins when it's iterated doesn't miss anything.
    let iterator = elements.makeAsyncIterator()
    let feed = ElementFeed<Output, Failure>(AnySubscriber(subscriber))
    subscriber.receive(subscription: ElementSubscription(feed))
    // The task starts after the subscriber has its subscription, so nothing arrives before it.
    feed.start(
      Task(priority: priority) {
        var iterator = iterator
        await feed.run(&iterator)
      })
  }
}
