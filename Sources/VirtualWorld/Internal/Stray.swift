import VirtualTime

/// Something that came from outside the world.
struct Stray: Sendable {
  /// The description for people, such as `"value 1" in the lane out`.
  let description: String
  /// The stream that it belongs to. A report counts the strays of one stream and place together.
  let stream: String
  let time: VirtualTime
  /// The identity of the task that it came from; `nil` if it didn't come from a task.
  let task: String?
  let site: (any World.Site)?
}

extension World.Problem {
  /// One problem for each stream, and each place in the code.
  static func list(_ strays: [Stray]) -> [Self] {
    var groups: [(first: Stray, source: Source?, count: Int)] = []
    for stray in strays {
      let source = stray.site?.source
      if let index = groups.firstIndex(
        where: { $0.first.stream == stray.stream && $0.source == source })
      {
        groups[index].count += 1
      } else {
        groups.append((stray, source, 1))
      }
    }
    return groups.map { Self($0.first, count: $0.count, source: $0.source) }
  }

  private init(_ first: Stray, count: Int, source: Source?) {
    let more = count == 1 ? "" : " and \(count - 1) more"
    let place = source.map { ", sent at \($0.fileName):\($0.line)" } ?? ""
    self.init(
      message: "\(first.description)\(more) came from outside the world, at about \(first.time)"
        + "\(place): from a Task, a thread, or a queue or session that the world doesn't drive. Use "
        + "receive(on:), queue.schedule or world.session, or attach your own queue with "
        + "world.attach(queue)",
      source: source)
  }
}
