import Foundation
import Synchronization

/// A new folder, removed together with this object, or at the latest when the tests end.
package final class TemporaryFolder: Sendable {
  private static let made: Mutex<[URL]> = {
    atexit {
      TemporaryFolder.made.withLock { urls in
        for url in urls { try? FileManager.default.removeItem(at: url) }
      }
    }
    return Mutex([])
  }()

  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("scenario-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    Self.made.withLock { [url] in $0.append(url) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
