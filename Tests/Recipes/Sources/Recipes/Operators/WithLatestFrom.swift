import StreamsFoundation

// region: recipe
extension Publisher {
  /// Publishes each value together with the latest value of another publisher.
  ///
  /// Values that come before the other publisher's first one are dropped. Its values alone publish
  /// nothing. The stream finishes with this publisher, and fails if one of the two fails.
  func withLatestFrom<Other: Publisher>(
    _ other: Other
  ) -> AnyPublisher<(Output, Other.Output), Failure> where Other.Failure == Failure {
    typealias Signal = LatestSignal<Output, Other.Output>
    let values = map { Signal.value($0) }.append(.end)
    return other.map { Signal.latest($0) }
      .merge(with: values)
      .prefix { !$0.isEnd }
      .scan((latest: Other.Output?.none, pair: (Output, Other.Output)?.none)) { state, signal in
        switch signal {
        case .latest(let latest): (latest, nil)
        case .value(let value): (state.latest, state.latest.map { (value, $0) })
        case .end: state
        }
      }
      .compactMap(\.pair)
      .eraseToAnyPublisher()
  }
}

private enum LatestSignal<Value, Latest> {
  case value(Value), latest(Latest), end

  var isEnd: Bool { if case .end = self { true } else { false } }
}
// endregion
