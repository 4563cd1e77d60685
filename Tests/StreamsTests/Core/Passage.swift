import Foundation
import TestSupport

@testable import Streams

/// A gate at a fixed address, because it's in an object.
final class Passage: Sendable {
  private let gate = Gate()

  var word: UInt { gate.word.load(ordering: .relaxed) }
  var isMine: Bool { gate.isMine }
  var hasNotes: Bool { gate.hasNotes }
  func enter() -> Bool { gate.enter() }
  func enterIfEmpty() -> Bool { gate.enterIfEmpty() }
  func enterOrLeaveNote() -> Bool { gate.enterOrLeaveNote() }
  func leaveUndisturbed() -> Bool { gate.leaveUndisturbed() }
  func leave(actingOnNotes act: () -> Void = {}) { gate.leave(actingOnNotes: act) }

  func enterAndLeave(_ body: () -> Void) {
    let wasOutside = enter()
    body()
    if wasOutside { leave() }
  }

  func enterAndLeaveUndisturbed() {
    _ = gate.enter()
    _ = gate.leaveUndisturbed()
  }

  /// Puts the gate in the state in which another thread would leave it.
  func pretend(_ word: UInt) { gate.word.store(word, ordering: .sequentiallyConsistent) }
}
