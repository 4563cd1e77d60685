import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The body of an upload task. A session takes it separately from the request, and keeps it to
/// itself.
enum UploadBody: Sendable {
  case data(Data)
  case file(URL)

  /// Returns the bytes.
  ///
  /// - Throws: The error that a real session reports if it can't read the file.
  func read() throws(URLError) -> Data {
    switch self {
    case .data(let data): return data
    case .file(let url):
      do { return try Data(contentsOf: url) } catch {
        throw URLError(
          (error as? CocoaError)?.code == .fileReadNoPermission
            ? .noPermissionsToReadFile : .fileDoesNotExist)
      }
    }
  }
}
