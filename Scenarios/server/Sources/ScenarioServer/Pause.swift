import ServiceLifecycle

/// Waits for a duration, or until the server shuts down.
func pause(for duration: Duration) async throws {
  guard duration > .zero else { return }
  try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
}
