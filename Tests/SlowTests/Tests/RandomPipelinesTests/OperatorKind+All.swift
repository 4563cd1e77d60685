extension OperatorKind {
  /// All operators.
  static let all: [OperatorKind] =
    sieves + results + successions + combinations + timings + sharings + buffers
}
