import Foundation
import TestSupport

@testable import Streams

/// A gate at a fixed address, because it's in an object.
final class Passage: Sendable {
  private let gate = Gate()

  enum Past: CaseIterable, Sendable { case none }

  init(_ past: Past = .none) {}

  var word: UInt { gate.word.load(ordering: .relaxed) }
  var isMine: Bool { gate.isMine }
  var hasChores: Bool { gate.hasChores }
  func enter() -> Bool { gate.enter() }
  func enterIfEmpty() -> Bool { gate.enterIfEmpty() }
  func enterOrDelegate() -> Bool { gate.enterOrDelegate() }
  func leaveUndisturbed() -> Bool { gate.leaveUndisturbed() }
  func leave(doing chores: () -> Void = {}) { gate.leave(doing: chores) }

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
