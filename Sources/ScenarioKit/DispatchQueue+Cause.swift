import Dispatch
import StreamsFoundation
import Timeline

extension DispatchQueue {
  /// Submits a block for asynchronous execution, as Dispatch's own `async` does.
  ///
  /// Scenarios call this one because it has no other parameters. The events that the block
  /// records follow from the same event as the code that submits it. So the record shows why the
  /// block ran.
  ///
  /// - Parameter work: The block.
  public func async(execute work: @escaping @Sendable () -> Void) {
    let cause = Timeline.settledCause
    let block = { @Sendable in Timeline.following(cause, work) }
    if MainQueueMark.isOn(self) { MainQueue.send(block) } else { async(group: nil, execute: block) }
  }
}
