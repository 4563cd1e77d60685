import StubNetwork
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
  /// What to do about it.
  var advice =
    "from a thread, a Task outside, or a queue or session that the world doesn't drive. Use receive(on:), "
    + "queue.schedule or world.session, or attach your own queue with world.attach(queue)"
}

extension Stray {
  /// A request from outside.
  init(request: Int, _ outside: WorldRequests.Outside) {
    self.init(
      description: "request \(request) (\(outside.summary))", stream: "requests",
      time: outside.time,
      task: outside.outsider.task, site: outside.outsider.site as? any World.Site,
      advice:
        "from a thread, a Task outside, or a queue that the world doesn't drive, so when it comes, and "
        + "which of several comes first, is open. Send it from a stream, with "
        + "dataTaskPublisher(for:), or attach your own queue with world.attach(queue)")
  }
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
        + "\(place): \(first.advice)",
      source: source)
  }

  /// A request from outside that's still open, because it came after the last call that moves time.
  static func tooLate(_ name: String, _ outside: WorldRequests.Outside) -> Self {
    let source = (outside.outsider.site as? any World.Site)?.source
    let place = source.map { ", sent at \($0.fileName):\($0.line)" } ?? ""
    return Self(
      message: "\(name) (\(outside.summary)) is still open, because it came from outside the "
        + "world\(place), after the last call that moves time: let the test wait for the Task, thread "
        + "or queue that sends it, and run the world after that. Or send it from a stream, with "
        + "dataTaskPublisher(for:), which needs no wait",
      source: source)
  }
}
