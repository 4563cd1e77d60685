import Streams

/// The work a scheduler still has to do, in the order in which it will do it.
///
/// Work lies in slots that are used again; the heap holds only due times. Cancelling empties the
/// slot at once and leaves the due time behind, to be skipped later: no search is needed. When most
/// due times are such leftovers the heap is swept, so that timers which are set and cancelled for
/// hours do not pile up.
///
/// Nothing of the user's is released in here: what is removed is handed back, to be released after
/// unlocking.
struct WorkQueue {
  /// What is in a slot. Together with a due time in the heap it takes 72 bytes.
  private struct Slot {
    /// What to do; `nil` in a free slot.
    var action: (() -> Void)?
    var details: WorkDetails?
    /// The same as in the heap; a due time whose rank differs is a leftover.
    var rank: Rank
    /// The number of the action that scheduled this one; 0 if none did.
    var cause: UInt64
    /// In a free slot, the free slot after it.
    var next: UInt32 = .max
    var isLate: Bool
    var isForeground: Bool
  }

  /// A place in the order of one instant, from the number of the work.
  private struct Rank: Equatable {
    let rawValue: UInt64

    init(number: UInt64, isCancellation: Bool) {
      rawValue = isCancellation ? number : number | Self.ordinary
    }

    var number: UInt64 { rawValue & ~Self.ordinary }

    /// Set in all but scripted cancellations, which therefore come first.
    private static let ordinary: UInt64 = 1 << 63
  }

  /// Work taken from the queue, to be done now.
  struct Taken {
    let action: () -> Void
    let number: UInt64
    let cause: UInt64
    let label: String?
    let isLate: Bool
  }

  private var heap = WorkHeap()
  private var slots: [Slot] = []
  private var firstFree: UInt32 = .max
  private var leftovers = 0

  /// The number the last scheduled work got. Numbers are never used again.
  private var lastNumber: UInt64 = 0

  /// How much foreground work there is that will come due.
  private(set) var foregroundCount = 0

  /// The moment of the first work that will come due.
  mutating func firstDue() -> VirtualTime? {
    while let first = heap.first {
      if isLive(first) { return first.due == .max ? nil : first.due }
      heap.removeFirst()
      leftovers -= 1
    }
    return nil
  }

  /// Puts in work; a date in the past is due now.
  mutating func insert(
    at date: VirtualTime, now: VirtualTime, cause: UInt64, details: WorkDetails?,
    _ action: @escaping () -> Void
  ) {
    let due = max(date, now)
    let options = details?.options
    let rank = nextRank(isCancellation: options?.isCancellation ?? false)
    let work = Slot(
      action: action, details: details, rank: rank, cause: cause, isLate: date < now,
      isForeground: !(options?.background ?? false))
    let slot = store(work)
    details?.slot = slot
    details?.due = due
    heap.insert(WorkHeap.Entry(due: due, rank: rank.rawValue, slot: slot))
    if work.isForeground, due != .max { foregroundCount += 1 }
  }

  /// Takes out the first work, which must be due now; a repeat is put in again at once.
  mutating func takeFirst(now: VirtualTime) -> Taken {
    guard let first = heap.first else { preconditionFailure("there is no work to take") }
    let index = Int(first.slot)
    let work = slots[index]
    guard let action = work.action else { preconditionFailure("the first work is a leftover") }
    if let details = work.details, details.isRepeat {
      rearm(details, in: index, now: now)
    } else {
      heap.removeFirst()
      free(index)
      if work.isForeground { foregroundCount -= 1 }
    }
    return Taken(
      action: action, number: work.rank.number, cause: work.cause,
      label: work.details?.options?.label, isLate: work.isLate)
  }

  /// Removes a repeat, if it is still there, and gives back its action to be released.
  mutating func remove(_ details: WorkDetails) -> (() -> Void)? {
    guard let index = details.slot.map(Int.init) else { return nil }
    let work = slots[index]
    if work.isForeground, details.due != .max { foregroundCount -= 1 }
    details.slot = nil
    free(index)
    leftovers += 1
    if leftovers > 64, leftovers > heap.count / 2 { sweep() }
    return work.action
  }

  /// Gives back everything, to be released; numbers go on.
  mutating func removeAll() -> WorkQueue {
    for slot in slots { slot.details?.slot = nil }
    var empty = WorkQueue()
    empty.lastNumber = lastNumber
    swap(&self, &empty)
    return empty
  }

  /// Everything there is, in the order in which it will be done.
  func pendingWork() -> [PendingWork] {
    heap.entries.filter(isLive).sorted(by: <).map { entry in
      let work = slots[Int(entry.slot)]
      return PendingWork(
        number: Int(work.rank.number), due: entry.due, label: work.details?.options?.label,
        interval: work.details?.interval, tolerance: work.details?.tolerance ?? .zero,
        isBackground: !work.isForeground, source: work.details?.options?.source,
        cause: work.cause == 0 ? nil : Int(work.cause))
    }
  }

  private func isLive(_ entry: WorkHeap.Entry) -> Bool {
    let slot = slots[Int(entry.slot)]
    return slot.rank.rawValue == entry.rank && slot.action != nil
  }

  private mutating func nextRank(isCancellation: Bool) -> Rank {
    lastNumber += 1
    return Rank(number: lastNumber, isCancellation: isCancellation)
  }

  private mutating func rearm(_ details: WorkDetails, in index: Int, now: VirtualTime) {
    // From the date it should have had, not from now: no drift.
    details.date = details.date.advanced(by: details.interval ?? .zero)
    let rank = nextRank(isCancellation: details.options?.isCancellation ?? false)
    slots[index].rank = rank
    slots[index].isLate = details.date < now
    details.due = max(details.date, now)
    heap.replaceFirst(
      with: WorkHeap.Entry(due: details.due, rank: rank.rawValue, slot: UInt32(index)))
    if details.due == .max, slots[index].isForeground { foregroundCount -= 1 }
  }

  private mutating func store(_ work: Slot) -> UInt32 {
    guard firstFree != .max else {
      precondition(slots.count < Int(UInt32.max), "too much work is pending")
      slots.append(work)
      return UInt32(slots.count - 1)
    }
    let slot = firstFree
    firstFree = slots[Int(slot)].next
    slots[Int(slot)] = work
    return slot
  }

  private mutating func free(_ index: Int) {
    slots[index].action = nil
    slots[index].details = nil
    slots[index].next = firstFree
    firstFree = UInt32(index)
  }

  private mutating func sweep() {
    heap.keep { [slots] entry in
      let slot = slots[Int(entry.slot)]
      return slot.rank.rawValue == entry.rank && slot.action != nil
    }
    leftovers = 0
  }
}

/// What only some work has, kept out of line so that plain work stays small.
///
/// Reached under the scheduler's lock only, once it is in a queue.
final class WorkDetails {
  let options: VirtualTimeScheduler.Options?
  let tolerance: VirtualTime.Interval

  /// The time from one run to the next; `nil` if it runs once.
  let interval: VirtualTime.Interval?

  /// The date asked for, which the next one is counted from.
  var date: VirtualTime

  /// When it comes due: the date, or later if that had passed.
  var due: VirtualTime

  /// Where it is in the queue; `nil` if it is not.
  var slot: UInt32?

  init(
    date: VirtualTime, interval: VirtualTime.Interval?, tolerance: VirtualTime.Interval,
    options: VirtualTimeScheduler.Options?
  ) {
    self.date = date
    self.due = date
    self.interval = interval
    self.tolerance = tolerance
    self.options = options
  }

  var isRepeat: Bool { interval != nil }
}
