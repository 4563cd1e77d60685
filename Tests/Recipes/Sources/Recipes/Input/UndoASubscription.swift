import StreamsFoundation

// region: recipe
/// A view whose subscriptions end with it.
final class ScoreView {
  private(set) var text = ""
  private var cancellables: Set<AnyCancellable> = []

  /// Shows a stream of scores instead of the one before.
  func show(_ scores: some Publisher<Int, Never>) {
    cancellables.removeAll()
    scores
      // Without `weak`, the view would keep the subscription, and its closure the view.
      .sink { [weak self] score in self?.text = "Score: \(score)" }
      .store(in: &cancellables)
  }
}

/// A model whose subscription ends with it, without a closure and without a set.
final class ScoreModel: ObservableObject {
  @Published private(set) var score = 0

  init(_ scores: some Publisher<Int, Never>) {
    scores.assign(to: &$score)
  }
}
// endregion
