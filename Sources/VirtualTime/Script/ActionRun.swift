/// An action of a clock, as far as runs of a sweep are compared.
package struct ActionRun: Hashable, Sendable {
  /// When it ran.
  package let time: VirtualTime

  /// The number of its work.
  package let number: UInt64
}
