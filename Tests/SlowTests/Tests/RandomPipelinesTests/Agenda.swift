/// The actions of a run, for models in which what happens next depends on what happened before.
///
/// A moment says where an action belongs, even within a call. So an action is only put on the list:
///
/// ```swift
/// agenda.add(at: sent.step(1)) { print("the second call") }
/// agenda.add(at: sent.step(0)) { print("the first call") }
/// agenda.run()
/// ```
final class Agenda {
  private var actions: [(moment: Moment, number: Int, perform: () -> Void)] = []
  private var count = 0
  private var endings: [() -> Void] = []

  /// Adds an action. Of two at the same moment, the one that was added first comes first.
  func add(at moment: Moment, _ perform: @escaping () -> Void) {
    guard moment.time <= PipelineCase.horizon else { return }
    actions.append((moment, count, perform))
    count += 1
  }

  /// Adds something to do after the run, such as releasing what keeps its owner alive.
  func atEnd(_ perform: @escaping () -> Void) { endings.append(perform) }

  /// Performs all actions in order, including those that they add, and then those for the end.
  func run() {
    while let next = actions.indices.min(by: {
      (actions[$0].moment, actions[$0].number) < (actions[$1].moment, actions[$1].number)
    }) {
      actions.remove(at: next).perform()
    }
    for ending in endings { ending() }
    endings = []
  }
}
