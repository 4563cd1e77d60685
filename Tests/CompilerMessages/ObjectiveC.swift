import StreamsFoundation

final class Target: NSObject {
  @objc func tick() {}
}
