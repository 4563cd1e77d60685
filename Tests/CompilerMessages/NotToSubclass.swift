import Foundation

class NamedLock: NSLock, @unchecked Sendable {}

class CountingCenter: NotificationCenter, @unchecked Sendable {
  override func post(_ notification: Notification) {}
}
