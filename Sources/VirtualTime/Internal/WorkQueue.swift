/// A piece of work that a scheduler runs once, or again and again.
///
/// What changes is only used under the scheduler's lock.
final class Work {
  /// The action; `nil` when it has run for the last time or was cancelled.
  fileprivate(set) var action: (() -> Void)?

  /// The time from one run to the next; `nil` if it runs once.
  let interval: VirtualTime.Interval?

  /// How much later it may run.
  let tolerance: VirtualTime.Interval
  let options: VirtualTimeScheduler.Options?

  /// Where it was scheduled, if the scheduler takes sites.
  let site: (any WorkSite)?

  /// When it was scheduled.
  var scheduled = VirtualTime.zero

  /// The number of the action that scheduled it; 0 if none did.
  var cause: UInt64 = 0

  /// How many actions led to it, each scheduled by the one before.
  var chain = 0

  /// Its number. A repeat gets a new one for each run.
  fileprivate(set) var number: UInt64 = 0

  /// When it should run, which may have passed already.
  fileprivate(set) var date = VirtualTime.zero

  /// When it runs.
  fileprivate(set) var due = VirtualTime.zero

  /// Its index in the heap; `nil` if it isn't there.
  fileprivate(set) var index: Int?

  init(
    every interval: VirtualTime.Interval? = nil, tolerance: VirtualTime.Interval = .zero,
    options: VirtualTimeScheduler.Options?, site: (any WorkSite)?, _ action: @escaping () -> Void
  ) {
    (self.interval, self.tolerance) = (interval, tolerance)
    (self.options, self.site, self.action) = (options, site, action)
  }

  var isCancellation: Bool { options?.isCancellation ?? false }

  /// Whether it keeps ``VirtualTimeScheduler/run(limit:)`` going.
  var keepsRunning: Bool { due != .max && !(options?.background ?? false) }

  /// What it keeps its order with.
  var lane: OrderLane {
    if isCancellation { return .script }
    if let source = options?.orderSource { return .source(source) }
    return .timers(since: scheduled, queue: options?.orderQueue)
  }

  /// What people call it in a choice.
  var choiceName: CandidateName {
    CandidateName(
      name: options?.orderSource?.name ?? options?.label ?? "the timer set at \(scheduled)",
      detail: options?.orderDetail)
  }

  /// The work as people see it.
  var pending: PendingWork {
    PendingWork(
      number: Int(number), due: due, label: options?.label,
      interval: interval == .max ? nil : interval, tolerance: tolerance,
      isBackground: options?.background ?? false, source: options?.source,
      cause: cause == 0 ? nil : Int(cause))
  }
}

/// The work that a scheduler still has to do: a binary heap, the first work on top.
///
/// Each work knows its index, so cancelling needs no search and leaves nothing behind.
///
/// The queue never releases an action. It hands removed actions back, and the caller releases them
/// after unlocking.
struct WorkQueue {
  private struct Entry {
    let due: VirtualTime
    /// The place in the order of its instant. Scripted cancellations come first.
    let place: UInt64
    let work: Work

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.due == rhs.due ? lhs.place < rhs.place : lhs.due < rhs.due
    }
  }

  private var heap: [Entry] = []

  /// The number of the work scheduled last. Numbers are never reused.
  private(set) var lastNumber: UInt64 = 0

  /// How much work there is that keeps ``VirtualTimeScheduler/run(limit:)`` going.
  private(set) var foregroundCount = 0

  /// The work to run next in the usual order; it may never come due.
  var first: Work? { heap.first?.work }

  /// The moment of the first work that will come due.
  var firstDue: VirtualTime? { heap.first.flatMap { $0.due == .max ? nil : $0.due } }

  /// Adds work; a date in the past is due now.
  mutating func insert(_ work: Work, at date: VirtualTime, now: VirtualTime) {
    lastNumber += 1
    (work.number, work.date, work.due) = (lastNumber, date, max(date, now))
    if work.keepsRunning { foregroundCount += 1 }
    let place = (work.isCancellation ? 0 : 1 << 63) | lastNumber
    let entry = Entry(due: work.due, place: place, work: work)
    heap.append(entry)
    moveUp(entry, from: heap.count - 1)
  }

  /// The first work of each lane of the first instant, in the usual order. If the order within a
  /// lane is all that counts, each of them could run next.
  var firstOfEachLane: [Work] {
    var seen: Set<OrderLane> = []
    return heap.filter { $0.due == heap[0].due }.sorted(by: <).map(\.work)
      .filter { seen.insert($0.lane).inserted }
  }

  /// Takes work that's due now. A repeat is added again at once.
  ///
  /// - Parameter chain: How many actions led to it.
  /// - Returns: Its action.
  mutating func take(_ work: Work, now: VirtualTime, chain: Int) -> () -> Void {
    remove(work)
    guard let action = work.action else { preconditionFailure("the work was cancelled before") }
    guard let interval = work.interval else {
      work.action = nil
      return action
    }
    work.chain = chain + 1
    // Count from the date it should have had, not from now, so that the dates don't drift.
    insert(work, at: work.date.advanced(by: interval), now: now)
    return action
  }

  /// Cancels work, if it's still there.
  ///
  /// - Returns: The action, for the caller to release.
  mutating func cancel(_ work: Work) -> (() -> Void)? {
    remove(work)
    return work.action.take()
  }

  /// Empties the queue and returns its former content, for the caller to release. Numbers continue.
  mutating func removeAll() -> [(Work, (() -> Void)?)] {
    defer { (heap, foregroundCount) = ([], 0) }
    return heap.map { entry in
      entry.work.index = nil
      return (entry.work, entry.work.action.take())
    }
  }

  /// All work, in the order in which it will run.
  var all: [Work] { heap.sorted(by: <).map(\.work) }

  // MARK: The heap

  private mutating func remove(_ work: Work) {
    guard let index = work.index.take() else { return }
    if work.keepsRunning { foregroundCount -= 1 }
    let last = heap.removeLast()
    guard index < heap.count else { return }
    if index > 0, last < heap[(index - 1) / 2] {
      moveUp(last, from: index)
    } else {
      moveDown(last, from: index)
    }
  }

  /// Puts an entry where it belongs, at an index or above it.
  private mutating func moveUp(_ entry: Entry, from index: Int) {
    var index = index
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry < heap[parent] else { break }
      put(heap[parent], at: index)
      index = parent
    }
    put(entry, at: index)
  }

  /// Puts an entry where it belongs, at an index or below it.
  private mutating func moveDown(_ entry: Entry, from index: Int) {
    var index = index
    while true {
      var child = 2 * index + 1
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard child < heap.count, heap[child] < entry else { break }
      put(heap[child], at: index)
      index = child
    }
    put(entry, at: index)
  }

  private mutating func put(_ entry: Entry, at index: Int) {
    heap[index] = entry
    entry.work.index = index
  }
}
