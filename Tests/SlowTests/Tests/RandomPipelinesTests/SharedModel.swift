/// The naive interpreter of a ``SharedCase``: puts everything that happens on one agenda.
final class SharedModel {
  private let testCase: SharedCase
  private var scripts: [Script]
  private let agenda = Agenda()
  private var received: [String] = []

  private var guests: [Int: LimitedStream] = [:]
  private var valueCounts: [Int: Int] = [:]

  // The subject that all subscribe to.
  private var members: [(guest: Int, place: Moment)] = []
  private var current: (Signal, version: Int)?
  private var end: Signal?
  /// The first request of any subscriber.
  private var requested: Moment?

  private var connections: [ModelConnection] = []
  private var sharing = Sharing.disconnected

  /// The memory of `autoconnect`.
  private enum Sharing {
    case disconnected
    case connecting(members: Int)
    case connected(ModelConnection, members: Int)
  }

  init(testCase: SharedCase) {
    self.testCase = testCase
    scripts = testCase.scripts
  }

  /// Everything that the subscribers receive within the run.
  var lines: [String] {
    received = []
    switch testCase.hub {
    case .share, .connectable: break
    case .currentValue(let value):
      current = (.value(value), 0)
      requested = .start
    case .subject:
      let index = testCase.head.source.scripted!
      if case .currentValueSubject(let value) = scripts[index].receiver {
        current = (.value(value), 0)
      }
      for event in scripts[index].sent(index: index) {
        agenda.add(at: event.moment) { [self] in send(event) }
      }
    }
    for (index, deed) in testCase.deeds.enumerated() {
      guard case .at(let time) = deed.occasion else { continue }
      let moment = Moment.start.step(scripts.count + index).scheduled(after: time)
      agenda.add(at: moment) { [self] in perform(deed.action, at: moment) }
    }
    agenda.run()
    return received
  }

  private func perform(_ action: Deed.Action, at moment: Moment) {
    switch action {
    case .subscribe(let index): subscribe(index, at: moment)
    case .cancel(let index): guests[index]?.cancel(at: moment)
    case .request(let index, let count): guests[index]?.request(count, at: moment)
    case .connect:
      guard testCase.hub == .connectable else { return }
      let connection = connect(at: moment.step(0))
      // Kept once the call has returned.
      agenda.add(at: moment.step(1)) { [self] in connections.append(connection) }
    case .disconnect: connections.popLast()?.isCancelled = true
    case .send(let signal, let script): send(signal, to: script, at: moment)
    }
  }

  private func send(_ signal: Signal, to script: Int, at moment: Moment) {
    if testCase.hub == .subject {
      if script == testCase.head.source.scripted { send(TimedSignal(moment, signal)) }
      return
    }
    scripts[script].extras.append(TimedSignal(moment, signal))
    for connection in allConnections { schedule(connection, from: moment) }
  }

  // MARK: The subject

  private func subscribe(_ index: Int, at moment: Moment) {
    guard guests[index] == nil else { return }
    let subscriber = testCase.subscribers[index]
    let guest = LimitedStream(
      below: { [unowned self] in end == nil ? current : nil }, subscriber.operators, at: moment,
      initial: subscriber.initial ?? LimitedStream.unlimited, on: agenda,
      onRequest: { [unowned self] in noteDemand(at: $0) },
      onEnd: { [unowned self] in leave(index, at: $0) }
    ) { [unowned self] event in
      received.append("\(index): \(event)")
      if event.signal.isEnd { return 0 }
      valueCounts[index, default: 0] += 1
      for (place, deed) in testCase.deeds.enumerated()
      where deed.occasion == .inValue(valueCounts[index]!, of: index) {
        let moment = event.moment.step(place)
        agenda.add(at: moment) { [self] in perform(deed.action, at: moment) }
      }
      return subscriber.perValue
    }
    guests[index] = guest
    if let end {
      let late = TimedSignal(moment.step(0).step(.max), end)
      agenda.add(at: late.moment) { guest.push(late) }
    } else {
      members.append((index, moment))
    }
    guard testCase.hub == .share || current != nil && testCase.hub != .subject else { return }
    let isFirst = join()
    if isFirst {
      agenda.add(at: moment.step(1)) { [self] in
        let connection = connect(at: moment.step(1))
        agenda.add(at: moment.step(2)) { [self] in establish(connection) }
      }
    }
  }

  private func leave(_ index: Int, at moment: Moment) {
    members.removeAll { $0.guest == index }
    leave()
  }

  private func send(_ event: TimedSignal) {
    guard end == nil else { return }
    var version: Int?
    if event.signal.isEnd {
      end = event.signal
    } else if let (_, former) = current {
      version = former + 1
      current = (event.signal, former + 1)
    }
    for (index, place) in members {
      let delivery = TimedSignal(
        event.moment.delivery(toSubscriberFrom: place), event.signal)
      agenda.add(at: delivery.moment) { [self] in
        guests[index]!.push(delivery, version: version)
      }
    }
  }

  private func noteDemand(at moment: Moment) {
    if requested != nil { return }
    requested = moment
    // The subject asks one after another.
    for (index, connection) in allConnections.enumerated() {
      connection.requested = moment.step(index)
      schedule(connection, from: moment)
    }
  }

  // MARK: Connections

  private var allConnections: [ModelConnection] = []

  private func connect(at moment: Moment) -> ModelConnection {
    let connection = ModelConnection(start: moment, requested: requested)
    allConnections.append(connection)
    schedule(connection, from: moment)
    return connection
  }

  /// Replaces what upstream does from a moment on.
  private func schedule(_ connection: ModelConnection, from moment: Moment) {
    connection.version += 1
    let version = connection.version
    let start = Start(connection.start, requested: connection.requested ?? .never)
    for event in testCase.head.model(of: scripts)(start).signals where event.moment >= moment {
      agenda.add(at: event.moment) { [self] in
        if !connection.isCancelled, connection.version == version { send(event) }
      }
    }
  }

  /// Returns whether the new subscriber connects.
  private func join() -> Bool {
    switch sharing {
    case .disconnected:
      sharing = .connecting(members: 1)
      return true
    case .connecting(let members):
      sharing = .connecting(members: members + 1)
      return true
    case .connected(let connection, let members):
      sharing = .connected(connection, members: members + 1)
      return false
    }
  }

  private func establish(_ connection: ModelConnection) {
    switch sharing {
    // A connection that was made within this one has come and gone.
    case .disconnected: sharing = .connected(connection, members: 1)
    case .connecting(let members): sharing = .connected(connection, members: members)
    // The later one of two replaces the other one.
    case .connected(let former, let members):
      former.isCancelled = true
      sharing = .connected(connection, members: members)
    }
  }

  private func leave() {
    switch sharing {
    case .disconnected: break
    // The connection that's being made can't be cancelled, so it stays.
    case .connecting(let members): sharing = .connecting(members: max(1, members - 1))
    case .connected(let connection, let members):
      if members == 1 { connection.isCancelled = true }
      sharing = members > 1 ? .connected(connection, members: members - 1) : .disconnected
    }
  }
}

/// A subscription of the subject to what is above it.
private final class ModelConnection {
  let start: Moment
  var isCancelled = false

  /// Changes when what it delivers is computed again.
  var version = 0

  /// When everything is requested.
  var requested: Moment?

  init(start: Moment, requested: Moment?) {
    self.start = start
    self.requested = requested
  }
}
