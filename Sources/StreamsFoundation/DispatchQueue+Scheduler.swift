import Dispatch
import Foundation
import Streams

/// Runs actions as blocks of the queue.
///
/// Source of the rules: Foundation's conformance on Apple's systems. Tolerance is ignored where an
/// action runs once, and so are flags and group where it runs later.
extension DispatchQueue: Scheduler {
  /// A moment of the system's uptime.
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
    /// The moment, as Dispatch has it.
    public var dispatchTime: DispatchTime

    /// Makes a moment.
    public init(_ time: DispatchTime) { dispatchTime = time }

    /// How long it is from this moment to the other.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let from = dispatchTime.uptimeNanoseconds
      let to = other.dispatchTime.uptimeNanoseconds
      return to >= from
        ? .nanoseconds(Int(clamping: to - from)) : .nanoseconds(-Int(clamping: from - to))
    }

    /// The moment that much later.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }

    /// Whether the first moment is before the second.
    public static func < (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime < rhs.dispatchTime
    }

    /// Whether both are the same moment.
    public static func == (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime == rhs.dispatchTime
    }

    /// Feeds the moment to the hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }

    /// Reads a moment from nanoseconds of uptime.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self.init(DispatchTime(uptimeNanoseconds: try container.decode(UInt64.self)))
    }

    /// Writes the moment as nanoseconds of uptime.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    /// A span of time in nanoseconds; a bare number is seconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
      ExpressibleByFloatLiteral, Hashable, Codable, Sendable
    {
      /// The span in nanoseconds.
      public var magnitude: Int

      private init(nanoseconds: Int) { magnitude = nanoseconds }

      /// Makes a span of one of Dispatch's; `.never` becomes the longest there is.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        case .never: self.init(nanoseconds: .max)
        @unknown default: self.init(nanoseconds: .max)
        }
      }

      /// The span, as Dispatch has it.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// Makes a span of seconds.
      public init(integerLiteral value: Int) { self = .seconds(value) }

      /// Makes a span of seconds and fractions.
      public init(floatLiteral value: Double) { self = .seconds(value) }

      /// Makes a span of nanoseconds, if `Int` can hold them.
      public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let count = Int(exactly: source) else { return nil }
        self.init(nanoseconds: count)
      }

      /// A span of whole seconds.
      public static func seconds(_ s: Int) -> Stride { multiple(s, of: 1_000_000_000) }

      /// A span of seconds and fractions, to the nanosecond.
      public static func seconds(_ s: Double) -> Stride {
        Stride(nanoseconds: Int((s * 1e9).rounded()))
      }

      /// A span of milliseconds.
      public static func milliseconds(_ ms: Int) -> Stride { multiple(ms, of: 1_000_000) }

      /// A span of microseconds.
      public static func microseconds(_ us: Int) -> Stride { multiple(us, of: 1_000) }

      /// A span of nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

      private static func multiple(_ count: Int, of unit: Int) -> Stride {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return Stride(nanoseconds: overflow ? (count < 0 ? .min : .max) : product)
      }

      /// Whether the first span is shorter.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

      /// The sum of two spans.
      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        Stride(nanoseconds: lhs.magnitude + rhs.magnitude)
      }

      /// The difference of two spans.
      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        Stride(nanoseconds: lhs.magnitude - rhs.magnitude)
      }

      /// The product of two spans, taken as seconds: `2 * .milliseconds(5)` is ten milliseconds.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        Stride(nanoseconds: Int((Double(lhs.magnitude) * Double(rhs.magnitude) / 1e9).rounded()))
      }

      /// Adds a span to this one.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

      /// Subtracts a span from this one.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

      /// Multiplies this span by one, taken as seconds.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
    }
  }

  /// How the queue is to run an action.
  public struct SchedulerOptions: Sendable {
    /// The quality of service.
    public var qos: DispatchQoS

    /// How the block behaves.
    public var flags: DispatchWorkItemFlags {
      get { DispatchWorkItemFlags(rawValue: rawFlags) }
      set { rawFlags = newValue.rawValue }
    }

    // Dispatch does not say that its flags are Sendable; the number they are is.
    private var rawFlags: DispatchWorkItemFlags.RawValue

    /// The group that the block belongs to.
    public var group: DispatchGroup?

    /// Makes options; without arguments they change nothing.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
      group: DispatchGroup? = nil
    ) {
      self.qos = qos
      rawFlags = flags.rawValue
      self.group = group
    }
  }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Runs the action as a block of this queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let block = options.workItem(action)
    if let group = options?.group {
      async(group: group, execute: block)
    } else {
      async(execute: block)
    }
    if self === DispatchQueue.main { _ = MainThreadTurns.noteSend() }
  }

  /// Runs the action as a block of this queue at a moment.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    MainThreadTurns.noteDelay(on: "DispatchQueue")
    asyncAfter(deadline: date.dispatchTime, execute: options.workItem(action))
  }

  /// Runs the action as a block of this queue at a moment and after each interval.
  ///
  /// - Returns: Ends the repetition when it is cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    MainThreadTurns.noteDelay(on: "DispatchQueue")
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.schedule(
      deadline: date.dispatchTime, repeating: interval.timeInterval,
      leeway: max(tolerance, minimumTolerance).timeInterval)
    timer.setEventHandler(handler: options.workItem(action))
    timer.resume()
    return AnyCancellable(timer.cancel)
  }
}

extension DispatchQueue.SchedulerOptions? {
  fileprivate func workItem(_ action: @escaping () -> Void) -> DispatchWorkItem {
    DispatchWorkItem(qos: self?.qos ?? .unspecified, flags: self?.flags ?? [], block: action)
  }
}
