import Streams

extension Publishers.Buffer: KeepsValues {
  var carrier: Publishers.Buffer<Tracing<Upstream>> {
    Publishers.Buffer(
      upstream: Tracing(upstream), size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers.Debounce: KeepsValues {
  var carrier: Publishers.Debounce<Tracing<Upstream>, Context> {
    Publishers.Debounce(
      upstream: Tracing(upstream), dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers.Throttle: KeepsValues {
  var carrier: Publishers.Throttle<Tracing<Upstream>, Context> {
    Publishers.Throttle(
      upstream: Tracing(upstream), interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers.Delay: KeepsValues {
  var carrier: Publishers.Delay<Tracing<Upstream>, Context> {
    Publishers.Delay(
      upstream: Tracing(upstream), interval: interval, tolerance: tolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers.Timeout: KeepsValues {
  var carrier: Publishers.Timeout<Tracing<Upstream>, Context> {
    Publishers.Timeout(
      upstream: Tracing(upstream), interval: interval, scheduler: scheduler, options: options,
      customError: customError)
  }
}

extension Publishers.ReceiveOn: KeepsValues {
  var carrier: Publishers.ReceiveOn<Tracing<Upstream>, Context> {
    Publishers.ReceiveOn(upstream: Tracing(upstream), scheduler: scheduler, options: options)
  }
}

extension Publishers.CollectByTime: KeepsValues {
  var carrier: Publishers.CollectByTime<Tracing<Upstream>, Context> {
    Publishers.CollectByTime(upstream: Tracing(upstream), strategy: strategy, options: options)
  }

  static func open(_ values: [Traced<Upstream.Output>]) -> Traced<Output> { values.joined() }
}
