import Streams

extension Publishers.Buffer: KeepsValues {
  var carrier: Publishers.Buffer<Tracing<Upstream>> {
    Publishers.Buffer(
      upstream: Tracing(upstream), size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers.Debounce: KeepsValues {
  var carrier: Publishers.Debounce<Tracing<Upstream>, WaitRecorder<Context>> {
    Publishers.Debounce(
      upstream: Tracing(upstream), dueTime: dueTime, scheduler: WaitRecorder(scheduler),
      options: options)
  }
}

extension Publishers.Throttle: KeepsValues {
  var carrier: Publishers.Throttle<Tracing<Upstream>, WaitRecorder<Context>> {
    Publishers.Throttle(
      upstream: Tracing(upstream), interval: interval,
      scheduler: WaitRecorder(scheduler, startsAtLastAction: true), latest: latest)
  }
}

extension Publishers.Delay: KeepsValues {
  var carrier: Publishers.Delay<Tracing<Upstream>, WaitRecorder<Context>> {
    Publishers.Delay(
      upstream: Tracing(upstream), interval: interval, tolerance: tolerance,
      scheduler: WaitRecorder(scheduler), options: options)
  }
}

extension Publishers.Timeout: KeepsValues {
  var carrier: Publishers.Timeout<Tracing<Upstream>, WaitRecorder<Context>> {
    Publishers.Timeout(
      upstream: Tracing(upstream), interval: interval, scheduler: WaitRecorder(scheduler),
      options: options, customError: customError)
  }
}

extension Publishers.ReceiveOn: KeepsValues {
  var carrier: Publishers.ReceiveOn<Tracing<Upstream>, Context> {
    Publishers.ReceiveOn(upstream: Tracing(upstream), scheduler: scheduler, options: options)
  }
}

extension Publishers.CollectByTime: KeepsValues {
  var carrier: Publishers.CollectByTime<Tracing<Upstream>, WaitRecorder<Context>> {
    Publishers.CollectByTime(
      upstream: Tracing(upstream), strategy: strategy.recordingWaits, options: options)
  }

  static func open(_ values: [Traced<Upstream.Output>]) -> Traced<Output> { values.joined() }
}

extension Publishers.TimeGroupingStrategy {
  /// The same strategy, on a scheduler that notes the waits.
  fileprivate var recordingWaits: Publishers.TimeGroupingStrategy<WaitRecorder<Context>> {
    switch self {
    case .byTime(let scheduler, let interval): .byTime(WaitRecorder(scheduler), interval)
    case .byTimeOrCount(let scheduler, let interval, let count):
      .byTimeOrCount(WaitRecorder(scheduler), interval, count)
    }
  }
}
