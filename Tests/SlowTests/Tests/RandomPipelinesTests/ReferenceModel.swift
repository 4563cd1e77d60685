/// The naive interpreter: computes the history of a case with functions over lists.
///
/// It knows nothing of subscriptions, locks or schedulers. Each operator's model turns the list of
/// what upstream does into the list of what downstream receives.
struct ReferenceModel {
  let testCase: PipelineCase

  /// Everything that the subscriber receives within the run, as text.
  ///
  /// With limited demand, this is exact only if ``PipelineCase/isExact``.
  var lines: [String] { signals.map(\.description) }

  /// Whether signals come after the cancellation: those that an operator has already accepted.
  var continuesAfterCancel: Bool {
    guard let cancelled else { return false }
    return signals.contains { $0.moment > cancelled }
  }

  /// Everything that the subscriber receives within the run.
  var signals: [TimedSignal] {
    let all = uncancelled
    guard let cancelled, !isTooLate(cancelled) else { return withinRun(all) }
    // The value that cancels is received.
    return withinRun(all.filter { $0.moment <= cancelled })
  }

  private var uncancelled: [TimedSignal] {
    testCase.demand == .unlimited
      ? testCase.pipeline.model(of: testCase.scripts)(testCase.start).signals
      : testCase.limitedSignals
  }

  private func withinRun(_ signals: [TimedSignal]) -> [TimedSignal] {
    signals.filter { $0.moment.time <= PipelineCase.horizon }
  }

  /// The moment of the cancellation.
  private var cancelled: Moment? {
    switch testCase.cancel {
    case nil: return nil
    case .at(let time): return testCase.setUp(1).scheduled(after: time)
    case .afterValue(let count):
      let values = uncancelled.filter { !$0.signal.isEnd }
      return count <= values.count ? values[count - 1].moment : nil
    }
  }

  /// Whether a cancellation changes nothing, because the last operator that could stop the stream
  /// has accepted its end already.
  private func isTooLate(_ cancelled: Moment) -> Bool {
    var upstream = testCase.pipeline
    while let last = upstream.operators.popLast() {
      switch last.kind.cancel {
      case .passesOn: continue
      case .stops: return false
      case .stopsUntilEnd:
        let end = upstream.model(of: testCase.scripts)(testCase.start).signals.end
        return end.map { $0.moment < cancelled } ?? false
      }
    }
    return false
  }
}

extension PipelineCase {
  /// The moments of the code that sets up the run. It schedules the scripts, the requests (0) and
  /// the cancellation (1), and then subscribes (2).
  func setUp(_ step: Int) -> Moment { Moment.start.step(scripts.count + step) }

  /// When the pipeline is subscribed to, with unlimited demand.
  var start: Start { Start(setUp(2)) }
}
