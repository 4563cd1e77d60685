import StreamsFoundation

// region: recipe
extension Publisher where Failure == Never {
  /// Uploads each value, in order of arrival, and publishes the results as they come. A failure is
  /// a result too, so the other uploads go on.
  ///
  /// - Parameters:
  ///   - limit: How many uploads run at a time, at most.
  ///   - upload: Makes the upload of a value.
  func queueUploads<Upload: Publisher>(
    limit: Int = 2, _ upload: @escaping (Output) -> Upload
  ) -> AnyPublisher<(item: Output, result: Result<Upload.Output, Upload.Failure>), Never> {
    buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(limit)) { item in
        upload(item)
          .map { (item: item, result: .success($0)) }
          .catch { Just((item: item, result: .failure($0))) }
      }
      .eraseToAnyPublisher()
  }
}
// endregion
