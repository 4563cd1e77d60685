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
  /// What is in a slot. With its due time in the heap it takes 64 bytes.
  private struct Slot {
    /// What to do; `nil` in a free slot.
    var action: (() -> Void)?
    var details: WorkDetails?
    /// The same as in the heap; a due time with another place is a leftover.
    var place: WorkPlace
    /// The number of the action that scheduled this one; 0 if none did.
    var cause: UInt64
    /// In a free slot, the free slot after it.
    var next: Int32 = -1
    var isLate: Bool
    var isForeground: Bool
  }

  /// Work taken from the queue, to be done now.
  struct Taken {
    let action: () -> Void
    let number: UInt64
    let cause: UInt64
    let label: String?
    let isLate: Bool
  }

  private var heap: WorkHeap
  private var slots: [Slot] = []
  private var firstFree: Int32 = -1

  /// How much work there is; the heap may have leftovers beside it.
  private var liveCount = 0

  /// The number the last scheduled work got. Numbers are never used again.
  private var lastNumber: UInt64 = 0

  /// How much foreground work there is that will come due.
  private(set) var foregroundCount = 0

  /// Makes an empty queue for work from a moment on.
  init(from now: VirtualTime) { heap = WorkHeap(from: now) }

  /// The moment of the first work that will come due.
  mutating func firstDue() -> VirtualTime? {
    while let first = heap.first {
      if slots[first.place.slot].place == first.place { return first.due == .max ? nil : first.due }
      heap.keepFirst { [slots] in slots[$0.place.slot].place == $0.place }
    }
    return nil
  }

  /// Puts in work; a date in the past is due now.
  mutating func insert(
    at date: VirtualTime, now: VirtualTime, cause: UInt64, details: WorkDetails?,
    _ action: @escaping () -> Void
  ) {
    let due = max(date, now)
    let index = firstFree < 0 ? slots.count : Int(firstFree)
    let place = nextPlace(in: index, details)
    let work = Slot(
      action: action, details: details, place: place, cause: cause, isLate: date < now,
      isForeground: details?.isForeground ?? true)
    if index == slots.count {
      slots.append(work)
    } else {
      firstFree = slots[index].next
      slots[index] = work
    }
    details?.slot = index
    details?.due = due
    heap.insert(WorkHeap.Entry(due: due, place: place))
    liveCount += 1
    if work.isForeground, due != .max { foregroundCount += 1 }
  }

  /// Takes out the first work, which must be due now; a repeat is put in again at once.
  mutating func takeFirst(now: VirtualTime) -> Taken {
    guard let first = heap.first else { preconditionFailure("there is no work to take") }
    let index = first.place.slot
    let cause = slots[index].cause
    let isLate = slots[index].isLate
    let details = slots[index].details
    let action: (() -> Void)?
    if let details, let interval = details.interval {
      action = slots[index].action
      rearm(details, in: index, after: interval, now: now)
    } else {
      action = slots[index].action.take()
      if slots[index].isForeground { foregroundCount -= 1 }
      heap.removeFirst()
      free(index)
      liveCount -= 1
    }
    guard let action else { preconditionFailure("the first work is a leftover") }
    return Taken(
      action: action, number: first.place.number, cause: cause, label: details?.label,
      isLate: isLate)
  }

  /// Removes a repeat, if it is still there, and gives back its action to be released.
  mutating func remove(_ details: WorkDetails) -> (() -> Void)? {
    guard let index = details.slot else { return nil }
    let action = slots[index].action
    if slots[index].isForeground, details.due != .max { foregroundCount -= 1 }
    details.slot = nil
    free(index)
    liveCount -= 1
    if heap.count > 2 * liveCount + 64 { sweep() }
    return action
  }

  /// Gives back everything, to be released; numbers go on.
  mutating func removeAll(now: VirtualTime) -> WorkQueue {
    for slot in slots { slot.details?.slot = nil }
    var empty = WorkQueue(from: now)
    empty.lastNumber = lastNumber
    swap(&self, &empty)
    return empty
  }

  /// Everything there is, in the order in which it will be done.
  func pendingWork() -> [PendingWork] {
    heap.entries.filter { slots[$0.place.slot].place == $0.place }.sorted(by: <).map { entry in
      let work = slots[entry.place.slot]
      return PendingWork(
        number: Int(entry.place.number), due: entry.due, label: work.details?.label,
        interval: work.details?.interval, tolerance: work.details?.tolerance ?? .zero,
        isBackground: !work.isForeground, source: work.details?.source,
        cause: work.cause == 0 ? nil : Int(work.cause))
    }
  }

  private mutating func nextPlace(in index: Int, _ details: WorkDetails?) -> WorkPlace {
    lastNumber += 1
    return WorkPlace(
      number: lastNumber, isCancellation: details?.isCancellation ?? false, slot: index)
  }

  private mutating func rearm(
    _ details: WorkDetails, in index: Int, after interval: VirtualTime.Interval, now: VirtualTime
  ) {
    // From the date it should have had, not from now: no drift.
    details.date = details.date.advanced(by: interval)
    details.due = max(details.date, now)
    let place = nextPlace(in: index, details)
    slots[index].place = place
    slots[index].isLate = details.date < now
    heap.removeFirst()
    heap.insert(WorkHeap.Entry(due: details.due, place: place))
    if details.due == .max, slots[index].isForeground { foregroundCount -= 1 }
  }

  private mutating func free(_ index: Int) {
    slots[index].action = nil
    slots[index].details = nil
    slots[index].place = .none
    slots[index].next = firstFree
    firstFree = Int32(index)
  }

  private mutating func sweep() {
    heap.keep { [slots] in slots[$0.place.slot].place == $0.place }
  }
}

/// What only some work has, kept out of line so that plain work stays small.
///
/// Once it is in a queue its variables are reached under the scheduler's lock only, and by one
/// access at a time: nothing checks their exclusivity.
final class WorkDetails {
  let label: String?
  let source: String?
  let isForeground: Bool
  let isCancellation: Bool
  let tolerance: VirtualTime.Interval

  /// The time from one run to the next; `nil` if it runs once.
  let interval: VirtualTime.Interval?

  /// The date asked for, which the next one is counted from.
  @exclusivity(unchecked) var date: VirtualTime

  /// When it comes due: the date, or later if that had passed.
  @exclusivity(unchecked) var due: VirtualTime

  /// Where it is in the queue; `nil` if it is not.
  @exclusivity(unchecked) var slot: Int?

  init(
    date: VirtualTime, interval: VirtualTime.Interval?, tolerance: VirtualTime.Interval,
    options: VirtualTimeScheduler.Options?
  ) {
    self.date = date
    self.due = date
    self.interval = interval
    self.tolerance = tolerance
    label = options?.label
    source = options?.source
    isForeground = !(options?.background ?? false)
    isCancellation = options?.isCancellation ?? false
  }
}
