import Streams
import VirtualTime

/// The waits of a timeline.
final class WaitLog: Sendable {
  /// One subscription of a lane, whose number is known once upstream has sent its subscription.
  final class Life: Sendable {
    let lane: Timeline.Lane
    private let state = Locked((number: Int?.none, open: Set<Int>()))

    init(lane: Timeline.Lane) { self.lane = lane }

    var number: Int? {
      get { state.withLock { $0.number } }
      set { state.withLock { $0.number = newValue } }
    }

    /// The numbers of its waits that haven't ended.
    fileprivate var open: Set<Int> {
      get { state.withLock { $0.open } }
      set { state.withLock { $0.open = newValue } }
    }
  }

  private struct Entry {
    let part: Int
    let life: Life
    let start: VirtualTime
    let cause: Int?
    var end: VirtualTime?
    var ending = Timeline.Wait.Ending.pending
  }

  private struct State {
    var part = 0
    var entries: [Entry] = []
    var isClosed = false

    mutating func end(_ number: Int, as ending: Timeline.Wait.Ending, at time: VirtualTime) {
      guard !isClosed, entries[number].end == nil else { return }
      (entries[number].end, entries[number].ending) = (time, ending)
      entries[number].life.open.remove(number)
    }
  }

  private let now: @Sendable () -> VirtualTime
  private let state = Locked(State())

  init(now: @escaping @Sendable () -> VirtualTime) { self.now = now }

  /// The present time.
  var time: VirtualTime { now() }

  /// Lets further waits belong to a part of the recording, given by its position.
  func beginPart(_ part: Int) { state.withLock { $0.part = part } }

  /// Leaves waits that haven't ended pending.
  func close() { state.withLock { $0.isClosed = true } }

  /// Notes that a timer was started.
  ///
  /// - Returns: Its number, for ``end(_:as:)``.
  func begin(in life: Life, at start: VirtualTime, cause: Int?) -> Int {
    state.withLock { state in
      life.open.insert(state.entries.count)
      state.entries.append(Entry(part: state.part, life: life, start: start, cause: cause))
      return state.entries.count - 1
    }
  }

  /// Notes that a timer was due or stopped. Only the first end of a wait counts.
  func end(_ number: Int, as ending: Timeline.Wait.Ending) {
    let now = now()
    state.withLock { $0.end(number, as: ending, at: now) }
  }

  /// Notes that a life was cancelled, with all timers above it. An operator can't stop each of
  /// them, but nothing follows from them any more.
  func stopAll(of life: Life) {
    let now = now()
    state.withLock { state in
      for number in life.open { state.end(number, as: .stopped, at: now) }
    }
  }

  /// The waits of a part, in order of their starts. Those that took no time are left out.
  func waits(ofPart part: Int) -> [Timeline.Wait] {
    state.withLock(\.entries)
      .filter { $0.part == part && $0.end != $0.start }
      .map { entry in
        Timeline.Wait(
          lane: entry.life.lane, subscription: entry.life.number, start: entry.start,
          end: entry.end ?? entry.start, ending: entry.ending, cause: entry.cause)
      }
      .stablySorted { $0.start < $1.start }
  }
}
