import Combine
import Foundation

extension Notification.Name {
  /// Posted when the app leaves the screen.
  public static let appDidLeave = Notification.Name("appDidLeave")
}

/// Counts the seconds until the app leaves the screen.
@MainActor public final class Stopwatch: ObservableObject {
  @Published public private(set) var seconds = 0
  private var cancellables: Set<AnyCancellable> = []

  public init(center: NotificationCenter = .default) {
    Timer.publish(every: 1, on: .main, in: .common)
      .autoconnect()
      .prefix(untilOutputFrom: center.publisher(for: .appDidLeave))
      .sink { [weak self] _ in self?.seconds += 1 }
      .store(in: &cancellables)
  }
}
