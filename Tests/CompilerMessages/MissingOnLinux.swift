import StreamsFoundation

final class Model { var name = "" }

func missing(_ model: Model) async throws {
  _ = OSAllocatedUnfairLock()
  objc_sync_enter(model)
  _ = model.publisher(for: \.name)
  _ = URLResponse()
  _ = Progress()
  Thread.current.threadDictionary.setValue(1, forKey: "a")
  _ = __dispatch_queue_get_label(nil)
  autoreleasepool {}
  _ = CFGetRetainCount(model)
  _ = CFAbsoluteTimeGetCurrent()
  _ = try await URLSession.shared.bytes(from: URL(string: "https://example.com")!)
  _ = NSPredicate(format: "name == 'a'")
  DispatchQueue.main.bind()
  _ = NSHashTable<Object>.weakObjects()
}

extension NSObject { func bind() {} }

final class Object: NSObject {
  func change() { willChangeValue(forKey: "name") }
}
