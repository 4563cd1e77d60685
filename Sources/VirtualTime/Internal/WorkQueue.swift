import Streams

/// The work a scheduler still has to do, in the order in which it will do it.
///
/// The heap holds due times, and each due time has a slot with the work itself. Cancelling removes
/// the action from its slot at once and leaves its entry in the heap. The slot becomes free when
/// its due time comes up, or when most entries of the heap are leftovers and the heap is swept. So
/// cancelling needs no search, and timers that are set and cancelled for hours don't pile up.
///
/// A slot is small, because there may be a million. Details that only some work has are in a
/// separate list, which stays empty until there is work with details.
///
/// The queue never releases an action. It hands removed actions back, and the caller releases them
/// after unlocking.
struct WorkQueue {
  /// One piece of work. Together with its due time in the heap it takes 56 bytes.
  private struct Slot {
    /// The action; `nil` if the work was cancelled or the slot is free.
    var action: (() -> Void)?

    /// The nanoseconds from one run to the next, or 0 if the work runs once. In a free slot: the
    /// index of the next free slot, or -1.
    var interval: Int64

    var origin: Origin

    /// How many actions led to it, each scheduled by the one before.
    var chain = 0
  }

  /// The cause of the work, packed into one word with three flags.
  private struct Origin {
    private var word: UInt64

    init(cause: UInt64, isForeground: Bool) { word = cause << 3 | (isForeground ? 1 : 0) }

    /// The number of the action that scheduled this one; 0 if none did.
    var cause: UInt64 { word >> 3 }

    var isForeground: Bool { word & 1 != 0 }

    /// Whether its date had already passed when it was scheduled.
    var isLate: Bool {
      get { word & 2 != 0 }
      set { word = word & ~2 | (newValue ? 2 : 0) }
    }

    /// Whether it's counted in `foregroundCount`: foreground work that will come due.
    var isCounted: Bool {
      get { word & 4 != 0 }
      set { word = word & ~4 | (newValue ? 4 : 0) }
    }
  }

  /// Work taken from the queue, to run now.
  struct Taken {
    let action: () -> Void
    let number: UInt64
    let cause: UInt64
    let chain: Int
    let label: String?
    let isLate: Bool
  }

  private var heap: WorkHeap
  private var slots: [Slot] = []

  /// The details of the work in the slot of the same index; shorter than `slots` if the last ones
  /// have none.
  private var details: [WorkDetails?] = []
  private var firstFree: Int64 = -1

  /// How much work there is. The heap may also hold leftovers.
  private var liveCount = 0

  /// The number of the work scheduled last. Numbers are never reused.
  private(set) var lastNumber: UInt64 = 0

  /// The number of this queue, counted from 1. After the queue is emptied, the slots of its former
  /// generation mean nothing.
  private(set) var generation: UInt32 = 1

  /// How much foreground work will come due.
  private(set) var foregroundCount = 0

  /// Makes an empty queue for work that isn't due before a moment.
  init(from now: VirtualTime) { heap = WorkHeap(from: now) }

  /// The moment of the first work that will come due.
  mutating func firstDue() -> VirtualTime? {
    while let first = heap.first {
      if isLive(first) { return first.due == .max ? nil : first.due }
      removeLeftovers { $0.keepFirst(where: $1) }
    }
    return nil
  }

  /// Adds work; a date in the past is due now.
  ///
  /// - Returns: The slot of the work, for ``cancel(_:)``. A repeat keeps its slot.
  @discardableResult
  mutating func insert(
    at date: VirtualTime, every interval: VirtualTime.Interval? = nil, now: VirtualTime,
    cause: UInt64, chain: Int = 0, details newDetails: WorkDetails?,
    _ action: @escaping () -> Void
  ) -> Int {
    let origin = Origin(cause: cause, isForeground: newDetails?.isForeground ?? true)
    let work = Slot(
      action: action, interval: interval?.nanoseconds ?? 0, origin: origin, chain: chain)
    let index: Int
    if firstFree < 0 {
      index = slots.count
      slots.append(work)
    } else {
      index = Int(firstFree)
      firstFree = slots[index].interval
      slots[index] = work
    }
    if let newDetails { setDetails(newDetails, of: index) }
    liveCount += 1
    putIn(index, at: date, now: now)
    return index
  }

  /// The work that could run first, if the order within a lane is all that counts: the first work
  /// of each lane, in the usual order. All of it is due now.
  mutating func firstOfEachLane() -> [(place: WorkPlace, lane: OrderLane)] {
    var seen: Set<OrderLane> = []
    return heap.entriesOfFirstMoment().filter(isLive).compactMap { entry in
      let details = details(of: entry.place.slot)
      let lane =
        entry.place.isCancellation ? .script : details?.lane ?? .single(entry.place.number)
      guard seen.insert(lane).inserted else { return nil }
      return (entry.place, lane)
    }
  }

  /// What people call work in a choice.
  func choiceName(of place: WorkPlace) -> CandidateName {
    details(of: place.slot)?.choiceName
      ?? CandidateName(name: "work \(place.number)", detail: nil)
  }

  /// Whether work still waits in its place.
  func isWaiting(_ place: WorkPlace) -> Bool {
    heap.hasAtFirstMoment(place) && slots[place.slot].action != nil
  }

  /// Takes work that's due now: the first, or the one with a place. A repeat is added again at
  /// once.
  ///
  /// - Parameters:
  ///   - place: The place of work of the first moment; `nil` for the first work.
  ///   - now: The present moment.
  ///   - number: A chain begins with the work after this number.
  mutating func take(
    _ place: WorkPlace? = nil, now: VirtualTime, chainsAfter number: UInt64 = 0
  ) -> Taken {
    guard let first = place.map({ WorkHeap.Entry(due: now, place: $0) }) ?? heap.first else {
      preconditionFailure("the queue has no work to take")
    }
    let index = first.place.slot
    let origin = slots[index].origin
    let chain = first.place.number > number ? slots[index].chain : 0
    let details = details(of: index)
    if place == nil { heap.removeFirst() } else { heap.remove(first) }
    let action: (() -> Void)?
    if slots[index].interval == 0 {
      action = slots[index].action.take()
      if origin.isCounted { foregroundCount -= 1 }
      liveCount -= 1
      free(index)
    } else {
      action = slots[index].action
      slots[index].chain = chain + 1
      // Count from the date it should have had, not from now, so that the dates don't drift.
      let former = origin.isLate ? details?.date ?? first.due : first.due
      putIn(
        index,
        at: former.advanced(by: VirtualTime.Interval(wholeNanoseconds: slots[index].interval)),
        now: now)
    }
    guard let action else { preconditionFailure("the first work was already cancelled") }
    return Taken(
      action: action, number: first.place.number, cause: origin.cause, chain: chain,
      label: details?.label, isLate: origin.isLate)
  }

  /// Cancels the work in a slot, unless it was cancelled before.
  ///
  /// - Returns: The action, for the caller to release.
  mutating func cancel(_ index: Int) -> (() -> Void)? {
    guard let action = slots[index].action.take() else { return nil }
    if slots[index].origin.isCounted { foregroundCount -= 1 }
    liveCount -= 1
    if heap.count > 2 * liveCount + 64 { removeLeftovers { $0.keep(where: $1) } }
    return action
  }

  /// Empties the queue and returns its former content, for the caller to release. Numbers continue.
  mutating func removeAll(now: VirtualTime) -> WorkQueue {
    var empty = WorkQueue(from: now)
    empty.lastNumber = lastNumber
    empty.generation = generation + 1
    swap(&self, &empty)
    return empty
  }

  /// All work, in the order in which it will run.
  func pendingWork() -> [PendingWork] { pendingWorkWithSites().map(\.work) }

  /// All work, in the order in which it will run, and where it was scheduled.
  func pendingWorkWithSites() -> [(work: PendingWork, site: (any WorkSite)?)] {
    heap.entries.filter(isLive).sorted(by: <).map { entry in
      let work = slots[entry.place.slot]
      let details = details(of: entry.place.slot)
      let pending = PendingWork(
        number: Int(entry.place.number), due: entry.due, label: details?.label,
        interval: work.interval == 0 || work.interval == .max
          ? nil : VirtualTime.Interval(wholeNanoseconds: work.interval),
        tolerance: details?.tolerance ?? .zero, isBackground: !work.origin.isForeground,
        source: details?.source, cause: work.origin.cause == 0 ? nil : Int(work.origin.cause))
      return (pending, details?.site)
    }
  }

  // MARK: Slots

  private func isLive(_ entry: WorkHeap.Entry) -> Bool { slots[entry.place.slot].action != nil }

  /// Gives the work in a slot a place in the order.
  private mutating func putIn(_ index: Int, at date: VirtualTime, now: VirtualTime) {
    let due = max(date, now)
    let isLate = date < now
    if isLate, slots[index].interval != 0 {
      // The next date is counted from this one, which isn't in the heap.
      let details = details(of: index) ?? WorkDetails(tolerance: .zero, options: nil)
      details.date = date
      setDetails(details, of: index)
    }
    let isCounted = slots[index].origin.isForeground && due != .max
    foregroundCount += (isCounted ? 1 : 0) - (slots[index].origin.isCounted ? 1 : 0)
    slots[index].origin.isCounted = isCounted
    slots[index].origin.isLate = isLate
    lastNumber += 1
    let place = WorkPlace(
      number: lastNumber, isCancellation: details(of: index)?.isCancellation ?? false, slot: index)
    heap.insert(WorkHeap.Entry(due: due, place: place))
  }

  private mutating func free(_ index: Int) {
    if index < details.count { details[index] = nil }
    slots[index].interval = firstFree
    firstFree = Int64(index)
  }

  /// Removes leftovers from the heap, and frees their slots.
  ///
  /// - Parameter keep: Removes the entries that don't pass, from the heap or a part of it.
  private mutating func removeLeftovers(
    _ keep: (inout WorkHeap, _ isKept: (WorkHeap.Entry) -> Bool) -> Void
  ) {
    var leftovers: [Int] = []
    keep(&heap) { [slots] entry in
      let isLive = slots[entry.place.slot].action != nil
      if !isLive { leftovers.append(entry.place.slot) }
      return isLive
    }
    for index in leftovers { free(index) }
  }

  private func details(of index: Int) -> WorkDetails? {
    index < details.count ? details[index] : nil
  }

  private mutating func setDetails(_ new: WorkDetails, of index: Int) {
    while details.count <= index { details.append(nil) }
    details[index] = new
  }
}

/// Details that only some work has, stored separately so that plain work stays small.
///
/// Once the details are in a queue, their variable is accessed only under the scheduler's lock, one
/// access at a time. So its exclusivity needn't be checked.
final class WorkDetails {
  let label: String?
  let source: String?
  let isForeground: Bool
  let isCancellation: Bool
  let tolerance: VirtualTime.Interval

  /// Where it was scheduled, if the scheduler takes sites.
  let site: (any WorkSite)?

  /// What it keeps its order with; `nil` for nothing.
  let lane: OrderLane?

  private let orderSource: OrderSource?
  private let orderDetail: OrderDetail?

  /// When it was scheduled, if the clock makes choices.
  private let scheduled: VirtualTime?

  /// What people call it in a choice.
  var choiceName: CandidateName? {
    (orderSource?.name ?? label ?? scheduled.map { "the timer set at \($0)" })
      .map { CandidateName(name: $0, detail: orderDetail) }
  }

  /// The date that a late repeat should have had.
  @exclusivity(unchecked) var date = VirtualTime.zero

  /// Details, or `nil` if there's neither a tolerance nor options nor a site.
  static func needed(
    tolerance: VirtualTime.Interval, options: VirtualTimeScheduler.Options?, site: (any WorkSite)?
  ) -> WorkDetails? {
    tolerance == .zero && options == nil && site == nil
      ? nil : WorkDetails(tolerance: tolerance, options: options, site: site)
  }

  init(
    tolerance: VirtualTime.Interval, options: VirtualTimeScheduler.Options?,
    site: (any WorkSite)? = nil, scheduledAt now: VirtualTime? = nil
  ) {
    self.site = site
    orderSource = options?.orderSource
    orderDetail = options?.orderDetail
    lane =
      orderSource.map(OrderLane.source)
      ?? now.map { .timers(since: $0, queue: options?.orderQueue) }
    scheduled = now
    self.tolerance = tolerance
    label = options?.label
    source = options?.source
    isForeground = !(options?.background ?? false)
    isCancellation = options?.isCancellation ?? false
  }
}
