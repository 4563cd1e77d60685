import StreamsExtras
import StreamsFoundation

/// Saves half a second after the last change. Its scheduler is a parameter.
final class AutoSaver {
  private(set) var saved: [String] = []
  private var subscription: AnyCancellable?

  init(
    _ text: some Publisher<String, Never>, scheduler: AnySchedulerOf<DispatchQueue> = .main
  ) {
    subscription = text.debounce(for: .milliseconds(500), scheduler: scheduler)
      .sink { [weak self] text in self?.saved.append(text) }
  }
}
