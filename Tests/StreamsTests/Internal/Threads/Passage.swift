import Foundation
import TestSupport

@testable import Streams

/// A gate at a fixed address, because it's in an object.
final class Passage: Sendable {
  /// The history of a gate before the test.
  enum Past: CaseIterable, Sendable {
    case none
    /// It's biased towards the testing thread.
    case biased
    /// It was, and another thread has taken the bias away.
    case revoked
  }

  private let gate = Gate()

  init(_ past: Past = .none) {
    if past != .none { becomeBiased() }
    if past == .revoked { onAnotherThread { [self] in enterAndLeave {} } }
  }

  var word: UInt { gate.word.load(ordering: .relaxed) }
  var bias: UInt { gate.bias.load(ordering: .relaxed) }
  var isBiased: Bool { word == Gate.biased }
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

  func useOften() {
    for _ in 0...GateBias.streak { enterAndLeaveUndisturbed() }
  }

  /// Biases the gate towards the calling thread, if this system can do that.
  func becomeBiased() {
    _ = ProcessBarrier.isAvailable
    _ = gate.enter()
    _ = gate.leaveBiased()
  }

  func leaveRevoked() -> Bool { gate.leaveRevoked() }

  /// Puts the gate in the state in which another thread would leave it.
  func pretend(_ word: UInt) { gate.word.store(word, ordering: .sequentiallyConsistent) }
}

extension ProcessBarrier {
  /// Whether the system has the barrier. Waits until that's known.
  static var isAvailable: Bool {
    while state == .starting { Thread.sleep(forTimeInterval: 0.001) }
    return state == .ready
  }
}
